-- $1 table as the configuration spells it, $2 column. The names as the catalogue quotes them, and
-- the column's type with domains resolved.
WITH RECURSIVE base AS (
    SELECT a.attrelid, a.attname, a.atttypid AS type
    FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = to_regclass($1) AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT base.attrelid, base.attname, t.typbasetype
    FROM base JOIN pg_catalog.pg_type t ON t.oid = base.type AND t.typtype = 'd')
SELECT to_regclass($1) IS NOT NULL AS table_found,
    (SELECT format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'p', 'f', 'v', 'm')) AS table_name,
    (SELECT quote_ident(base.attname) FROM base LIMIT 1) AS column_name,
    (SELECT base.type::regtype::text FROM base JOIN pg_catalog.pg_type t ON t.oid = base.type
     WHERE t.typtype <> 'd') AS column_type
