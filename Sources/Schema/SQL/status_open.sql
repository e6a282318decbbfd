-- $1 how many: the open requests that are due first.
SELECT id, bundle_id, environment, transaction_id, state, coalesce(state_reason, '') AS reason, late,
    deadline, extract(epoch FROM deadline - clock_timestamp())::bigint AS seconds_left, attempts,
    next_attempt_at, coalesce(last_error, '') AS last_error
FROM consumptiond.request_state
WHERE state IN ('queued', 'waiting', 'working', 'held')
ORDER BY late, deadline, id LIMIT $1::integer
