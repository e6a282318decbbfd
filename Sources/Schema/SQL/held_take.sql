-- Held requests that are due a look; the next look is committed first: after 1, 2, 4 … 30 minutes,
-- $2 before the deadline, and at the deadline. Sandbox: every 20 s, and $2 shrinks with its window.
-- $1 how many, $3 bundle ids, $4 environments: another daemon's queries know other customers.
WITH c AS MATERIALIZED (
    SELECT id, $2::interval * CASE environment WHEN 'Sandbox' THEN 5.0 / 720 ELSE 1 END AS decide_by
    FROM consumptiond.request_state
    WHERE state = 'held' AND next_attempt_at <= (SELECT clock_timestamp())
        AND (bundle_id, environment) IN (
            SELECT a, e FROM unnest($3::text[], $4::text[]) AS app (a, e))
    ORDER BY next_attempt_at LIMIT $1::integer FOR UPDATE SKIP LOCKED)
UPDATE consumptiond.request_state s SET
    looks = s.looks + 1,
    next_attempt_at = greatest(clock_timestamp() + interval '1 second', least(
        clock_timestamp() + CASE s.environment WHEN 'Sandbox' THEN interval '20 seconds'
            ELSE least(interval '1 minute' * 2 ^ least(s.looks, 10), interval '30 minutes') END,
        CASE WHEN clock_timestamp() < s.deadline - c.decide_by
            THEN s.deadline - c.decide_by ELSE s.deadline END))
FROM c WHERE s.id = c.id
RETURNING s.id
