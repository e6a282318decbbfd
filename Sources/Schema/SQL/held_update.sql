-- $1 id, $2 state (queued or held), $3 reason (null: as it was), $4 last_error
UPDATE consumptiond.request_state SET
    state = $2,
    state_reason = CASE WHEN $2 = 'held' THEN coalesce($3, state_reason) END,
    next_attempt_at = CASE WHEN $2 = 'held' THEN next_attempt_at END,
    last_error = coalesce($4, last_error)
WHERE id = $1::bigint AND state = 'held'
