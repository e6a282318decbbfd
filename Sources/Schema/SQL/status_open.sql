-- $1 how many: the open requests that are due first.
SELECT id, bundle_id, environment, transaction_id, state, coalesce(state_reason, '') AS reason, late,
    (extract(epoch FROM deadline) * 1000000)::bigint AS deadline,
    floor(extract(epoch FROM deadline - clock_timestamp()))::bigint AS seconds_left, attempts,
    (extract(epoch FROM next_attempt_at) * 1000000)::bigint AS next_attempt_at,
    floor(extract(epoch FROM next_attempt_at - clock_timestamp()))::bigint AS seconds_to_next_attempt,
    coalesce(last_error, '') AS last_error
FROM consumptiond.request_state
WHERE state IN ('queued', 'waiting', 'working', 'held')
ORDER BY late, deadline, id LIMIT $1::integer
