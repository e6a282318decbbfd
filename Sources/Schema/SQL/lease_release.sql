-- $1 tokens: work that is handed back unsent. Attempts that were written down under these leases never
-- went out: they are none, and are not counted.
WITH o AS MATERIALIZED (
    -- In the order of all who lock several leases.
    SELECT request_id FROM consumptiond.lease WHERE token = ANY ($1::uuid[])
    ORDER BY request_id FOR UPDATE),
l AS (
    DELETE FROM consumptiond.lease USING o WHERE lease.request_id = o.request_id
    RETURNING lease.request_id),
a AS (
    DELETE FROM consumptiond.attempt t USING l WHERE t.request_id = l.request_id AND t.result IS NULL
    RETURNING t.request_id)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL,
    attempts = s.attempts - (SELECT count(*) FROM a WHERE a.request_id = s.id)
FROM l WHERE s.id = l.request_id AND s.state = 'working'
RETURNING s.id
