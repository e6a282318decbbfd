-- Leases that ran out: their workers are gone. What they had in flight may have reached Apple.
WITH x AS MATERIALIZED (
    SELECT request_id FROM consumptiond.lease WHERE until <= (SELECT clock_timestamp())
    ORDER BY until LIMIT 200 FOR UPDATE SKIP LOCKED),
d AS (
    DELETE FROM consumptiond.lease l USING x WHERE l.request_id = x.request_id
    RETURNING l.request_id),
a AS (
    UPDATE consumptiond.attempt t SET ended_at = clock_timestamp(), result = 'unknown',
        error = 'the worker went away before it could record what came of it'
    FROM d WHERE t.request_id = d.request_id AND t.result IS NULL)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL
FROM d WHERE s.id = d.request_id AND s.state = 'working'
RETURNING s.id
