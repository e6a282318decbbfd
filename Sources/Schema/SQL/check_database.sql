-- What the daemon's connection is, and what a server's and a role's settings would do to it.
SELECT current_user AS role, current_setting('server_version') AS version,
    current_setting('server_version_num')::integer AS version_number,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS standby,
    (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user) AS is_superuser,
    current_setting('default_transaction_read_only') AS read_only,
    current_setting('default_transaction_isolation') AS isolation,
    current_setting('synchronous_commit') AS synchronous_commit,
    (SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout') AS statement_timeout,
    (SELECT setting::bigint FROM pg_settings
     WHERE name = 'log_min_duration_statement') AS log_duration,
    (SELECT setting::bigint FROM pg_settings
     WHERE name = 'log_min_duration_sample') AS log_duration_sample,
    current_setting('log_statement') AS log_statement,
    (SELECT setting::bigint FROM pg_settings
     WHERE name = 'log_parameter_max_length') AS log_parameters,
    (SELECT setting::bigint FROM pg_settings
     WHERE name = 'log_parameter_max_length_on_error') AS log_parameters_on_error,
    has_database_privilege(current_database(), 'TEMPORARY') AS may_create_temporary,
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now
