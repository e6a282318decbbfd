-- Leases that ran out: their workers are gone. What they had in flight may have reached Apple.
-- What somebody else has locked is left to the next time: whoever deletes leases waits for nobody.
WITH x AS MATERIALIZED (
    SELECT l.request_id FROM consumptiond.lease l
    JOIN consumptiond.request_state s ON s.id = l.request_id
    WHERE l.until <= (SELECT clock_timestamp())
    ORDER BY l.until LIMIT 200
    FOR UPDATE OF l SKIP LOCKED FOR NO KEY UPDATE OF s SKIP LOCKED),
d AS (
    DELETE FROM consumptiond.lease
    WHERE request_id = ANY (ARRAY(SELECT request_id FROM x))
    RETURNING request_id),
a AS (
    UPDATE consumptiond.attempt SET ended_at = clock_timestamp(), result = 'unknown',
        error = 'the worker went away before it could record what came of it'
    WHERE request_id = ANY (ARRAY(SELECT request_id FROM d)) AND result IS NULL)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL
FROM d WHERE s.id = d.request_id AND s.state = 'working'
RETURNING s.id
