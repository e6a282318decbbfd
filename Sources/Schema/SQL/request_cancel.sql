-- $1 id, $2 by whom
UPDATE consumptiond.request_state SET state = 'cancelled', state_reason = NULL,
    next_attempt_at = NULL, last_error = 'cancelled by ' || $2
WHERE id = $1::bigint AND state IN ('queued', 'waiting', 'held')
RETURNING id
