-- Late ones that no daemon serves, since their app is in no configuration any more: they end too.
WITH c AS MATERIALIZED (
    SELECT id FROM consumptiond.request_state
    WHERE state = 'queued' AND late AND signed_at + CASE environment
            WHEN 'Production' THEN $1::interval ELSE $2::interval END <= (SELECT clock_timestamp())
    ORDER BY deadline LIMIT 500 FOR UPDATE SKIP LOCKED)
UPDATE consumptiond.request_state s SET state = 'missed', state_reason = 'no_worker'
FROM c WHERE s.id = c.id
RETURNING s.id, s.state, s.state_reason
