SELECT state, coalesce(state_reason, '') AS reason, count(*) AS requests,
    min(deadline) FILTER (WHERE state IN ('queued', 'waiting', 'working', 'held')) AS next_deadline
FROM consumptiond.request_state
GROUP BY state, state_reason ORDER BY state, state_reason
