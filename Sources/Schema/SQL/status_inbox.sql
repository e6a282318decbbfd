SELECT (SELECT count(*) FROM consumptiond.inbox WHERE NOT done) AS unread,
    (SELECT extract(epoch FROM clock_timestamp() - min(received_at))::bigint
     FROM consumptiond.inbox WHERE NOT done) AS oldest_unread_seconds,
    (SELECT count(*) FROM consumptiond.rejected
     WHERE received_at > clock_timestamp() - interval '24 hours') AS rejected_last_day,
    (SELECT count(*) FROM consumptiond.request_state
     WHERE state = 'missed' AND deadline > clock_timestamp() - interval '7 days') AS missed_last_week,
    (SELECT count(*) FROM consumptiond.request_state
     WHERE state = 'missed' AND deadline > clock_timestamp() - interval '1 day') AS missed_last_day,
    (SELECT count(*) FROM consumptiond.request_state
     WHERE state = 'failed' AND deadline > clock_timestamp() - interval '1 day') AS failed_last_day,
    -- Those that go by the name that a daemon's connections have when the settings give none.
    (SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'consumptiond'
        AND pid <> pg_backend_pid()) AS daemon_connections,
    (SELECT max(version) FROM consumptiond.schema_version) AS schema_version
