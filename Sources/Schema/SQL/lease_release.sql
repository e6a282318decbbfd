-- $1 tokens: work that is handed back unsent. Attempts that were written down under these leases never
-- went out: they are none, and are not counted. The requests are locked before their leases go, both
-- in the order of all who lock several.
WITH r AS MATERIALIZED (
    SELECT s.id FROM consumptiond.request_state s
    JOIN consumptiond.lease l ON l.request_id = s.id
    WHERE l.token = ANY ($1::uuid[])
    ORDER BY s.id FOR NO KEY UPDATE OF s FOR UPDATE OF l),
l AS (
    DELETE FROM consumptiond.lease
    WHERE request_id = ANY (ARRAY(SELECT id FROM r)) AND token = ANY ($1::uuid[])
    RETURNING request_id),
a AS (
    DELETE FROM consumptiond.attempt t USING l WHERE t.request_id = l.request_id AND t.result IS NULL
    RETURNING t.request_id)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL,
    attempts = s.attempts - (SELECT count(*) FROM a WHERE a.request_id = s.id)
FROM l WHERE s.id = l.request_id AND s.state = 'working'
RETURNING s.id
