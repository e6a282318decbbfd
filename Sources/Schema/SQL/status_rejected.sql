-- What was rejected within a day, by reason, with the newest of each.
SELECT DISTINCT ON (reason) reason, count(*) OVER (PARTITION BY reason) AS payloads, id, detail,
    (extract(epoch FROM received_at) * 1000000)::bigint AS received_at
FROM consumptiond.rejected
WHERE received_at > clock_timestamp() - interval '24 hours'
ORDER BY reason, received_at DESC
