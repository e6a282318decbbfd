-- Waiting requests whose moment has come.
WITH c AS MATERIALIZED (
    SELECT id FROM consumptiond.request_state
    WHERE state = 'waiting' AND next_attempt_at <= (SELECT clock_timestamp())
    ORDER BY next_attempt_at LIMIT 500 FOR UPDATE SKIP LOCKED)
UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL,
    next_attempt_at = NULL, late = s.late OR s.deadline <= clock_timestamp()
FROM c WHERE s.id = c.id
RETURNING s.id
