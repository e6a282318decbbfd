-- $1 how many: the requests of the last week that ended badly, newest first.
SELECT id, bundle_id, environment, transaction_id, state, coalesce(state_reason, '') AS reason,
    (extract(epoch FROM deadline) * 1000000)::bigint AS deadline,
    coalesce(last_error, '') AS last_error
FROM consumptiond.request_state
WHERE state IN ('missed', 'failed') AND deadline > clock_timestamp() - interval '7 days'
ORDER BY deadline DESC, id DESC LIMIT $1::integer
