-- The roles of consumptiond. Run once by a role with CREATEROLE, in the application's database,
-- before `consumptiond migrate`:
--
--     psql -d app -f deploy/roles.sql
--
-- Then give the roles that log in their passwords or their lines in pg_hba.conf, grant
-- consumptiond_owner to whoever migrates, and grant the daemon what its queries read:
--
--     GRANT SELECT ON account, consent, generation, api_call TO consumptiond;
--     GRANT consumptiond_enqueue TO my_webhook;
--
-- Running it again changes nothing that is right already.

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['consumptiond_owner', 'consumptiond_enqueue',
        'consumptiond_consent', 'consumptiond_usage', 'consumptiond_reader', 'consumptiond_support']
    LOOP
        IF to_regrole(role) IS NULL THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
    IF to_regrole('consumptiond') IS NULL THEN
        CREATE ROLE consumptiond LOGIN;
    END IF;
    -- enqueue runs with the owner's rights, so nobody may become the owner by logging in.
    ALTER ROLE consumptiond_owner NOLOGIN;
    EXECUTE format('GRANT CREATE ON DATABASE %I TO consumptiond_owner', current_database());
    EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO consumptiond', current_database());
END
$$;

-- The daemon's defaults arrive through PgBouncer too, where a session's own settings do not.
-- A database-wide serializable would fail most claims, and a read-only default every one.
ALTER ROLE consumptiond SET default_transaction_isolation = 'read committed';
ALTER ROLE consumptiond SET default_transaction_read_only = off;
ALTER ROLE consumptiond SET synchronous_commit = on;
ALTER ROLE consumptiond SET statement_timeout = '30s';
ALTER ROLE consumptiond SET lock_timeout = '5s';
ALTER ROLE consumptiond SET idle_in_transaction_session_timeout = '30s';
ALTER ROLE consumptiond SET search_path = pg_catalog, public;

-- A server that logs statements by duration logs their parameters too, and enqueue's parameter is
-- the whole payload. A superuser hides them from the log:
--
--     ALTER ROLE my_webhook SET log_parameter_max_length = 0;
--     ALTER ROLE my_webhook SET log_parameter_max_length_on_error = 0;
--     ALTER ROLE consumptiond SET log_parameter_max_length = 0;
--     ALTER ROLE consumptiond SET log_parameter_max_length_on_error = 0;
