-- What PostgreSQL made of the rule that was just added as a generated column: its expression, the
-- columns it uses, and what makes it unfit or able to hide an unknown.
WITH x AS (
    SELECT d.oid, d.adrelid, d.adnum, d.adbin::text AS tree,
        pg_get_expr(d.adbin, d.adrelid) AS expression
    FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_attribute a
        ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE d.adrelid = 'pg_temp.consumptiond_facts'::regclass AND a.attname = 'consumptiond_rule')
SELECT x.expression,
    ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = x.adrelid AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum) AS columns,
    ARRAY(SELECT DISTINCT a.attname::text
        FROM regexp_matches(x.tree, ':varattno (-?[0-9]+)', 'g') v (number)
        JOIN pg_catalog.pg_attribute a
            ON a.attrelid = x.adrelid AND a.attnum = v.number[1]::integer AND a.attnum > 0
        ORDER BY 1) AS facts,
    EXISTS (SELECT FROM regexp_matches(x.tree, ':varattno -[0-9]+', 'g')) AS uses_system_column,
    -- Built-in objects are pinned and leave no dependency: what is left is somebody's own.
    EXISTS (
        SELECT FROM pg_catalog.pg_depend p
        WHERE ((p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = x.oid)
                OR (p.classid = 'pg_catalog.pg_class'::regclass AND p.objid = x.adrelid
                    AND p.objsubid = x.adnum))
            AND p.refclassid <> 'pg_catalog.pg_class'::regclass
            AND p.refclassid <> 'pg_catalog.pg_namespace'::regclass) AS uses_own_object,
    -- Only nodes that pass a null on, or decide in three-valued logic, are known to hide none. An
    -- array of constants (an IN list) is a constant.
    (EXISTS (
        SELECT FROM regexp_matches(regexp_replace(x.tree,
            '\{ARRAY(EXPR)? [^{}]*(\{CONST [^{}]*\}\s*)+[^{}]*\}', '', 'g'),
            '\{([A-Z_]+)', 'g') node (name)
        WHERE node.name[1] NOT IN ('VAR', 'CONST', 'OPEXPR', 'FUNCEXPR', 'BOOLEXPR',
            'SCALARARRAYOPEXPR', 'RELABELTYPE', 'COERCEVIAIO'))
    OR EXISTS (
        SELECT FROM regexp_matches(x.tree, ':(?:op)?funcid ([0-9]+)', 'g') f (oid)
        JOIN pg_catalog.pg_proc p ON p.oid = f.oid[1]::oid
        WHERE NOT p.proisstrict)) AS can_hide_null
FROM x
