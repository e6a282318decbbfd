-- $1 tokens: work that is handed back unsent.
WITH l AS (
    DELETE FROM consumptiond.lease WHERE token = ANY ($1::uuid[]) RETURNING request_id)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL
FROM l WHERE s.id = l.request_id AND s.state = 'working'
RETURNING s.id
