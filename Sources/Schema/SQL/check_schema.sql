-- What the role lacks in the schema, and who besides it and the owner may read signed payloads.
SELECT
    ARRAY(SELECT p.privilege || ' on ' || c.relname
        FROM pg_class c CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
            AS p (privilege)
        WHERE c.relnamespace = 'consumptiond'::regnamespace AND c.relkind IN ('r', 'v')
            AND (p.privilege = 'SELECT' OR c.relkind = 'r' AND c.relname <> 'schema_version')
            AND NOT has_table_privilege(c.oid, p.privilege)
        ORDER BY 1) AS lacking,
    has_function_privilege('consumptiond.enqueue(text, boolean)', 'EXECUTE') AS may_enqueue,
    (SELECT pg_has_role(n.nspowner, 'USAGE') FROM pg_namespace n
     WHERE n.nspname = 'consumptiond') AS owns_schema,
    ARRAY(SELECT r.rolname::text FROM pg_roles r
        WHERE NOT r.rolsuper AND r.rolname <> current_user AND r.rolname !~ '^pg_'
            AND r.oid <> (SELECT c.relowner FROM pg_class c
                WHERE c.oid = 'consumptiond.inbox'::regclass)
            AND has_table_privilege(r.oid, 'consumptiond.inbox', 'SELECT')
        ORDER BY 1) AS readers,
    (SELECT count(*) FROM pg_roles r WHERE NOT r.rolsuper AND r.rolcanlogin
        AND r.rolname <> current_user
        AND has_schema_privilege(r.oid, 'consumptiond', 'USAGE')
        AND has_function_privilege(r.oid, 'consumptiond.enqueue(text, boolean)', 'EXECUTE'))
        AS enqueuers
