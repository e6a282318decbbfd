-- What came of an attempt. The attempt is completed by its own id, whoever holds the lease by now:
-- what Apple said is a fact. The state moves only under the lease, except that a 202 makes an open
-- request answered in any case: the answer is there.
-- $1 attempt, $2 result, $3 status, $4 Apple's code, $5 Apple's message, $6 error,
-- $7 token, $8 state, $9 reason, $10 delay, $11 last_error, $12 degraded from now on
WITH r AS MATERIALIZED (
    -- Before the lease, as everybody does who ends one.
    SELECT s.id FROM consumptiond.request_state s
    JOIN consumptiond.attempt t ON t.request_id = s.id
    WHERE t.id = $1::bigint FOR NO KEY UPDATE OF s),
l AS (
    DELETE FROM consumptiond.lease USING r
    WHERE lease.request_id = r.id AND lease.token = $7::uuid
        -- What may still be with Apple keeps its lease until it runs out.
        AND $8 <> 'working'
    RETURNING lease.request_id),
a AS (
    UPDATE consumptiond.attempt t SET ended_at = clock_timestamp(), result = $2,
        http_status = $3::integer, apple_code = $4::bigint, apple_message = $5, error = $6
    FROM (SELECT count(*) > 0 AS held FROM l) lease
    WHERE t.id = $1::bigint
    RETURNING t.request_id, t.repeat, lease.held)
UPDATE consumptiond.request_state s SET
    state = $8,
    state_reason = CASE WHEN $8 = 'answered' THEN nullif(concat_ws(' ',
        CASE WHEN s.late THEN 'late' END, CASE WHEN a.repeat THEN 'repeat' END,
        CASE WHEN s.degraded THEN 'degraded' END), '') ELSE $9 END,
    next_attempt_at = CASE WHEN $8 = 'waiting'
        THEN least(clock_timestamp() + $10::interval, s.deadline) END,
    last_error = coalesce($11, s.last_error),
    degraded = s.degraded OR $12::boolean,
    answered_at = CASE WHEN $8 = 'answered' THEN clock_timestamp() END
FROM a
WHERE s.id = a.request_id AND (
    (a.held AND s.state = 'working')
    OR ($8 = 'answered' AND s.state IN ('queued', 'waiting', 'working', 'held')))
RETURNING s.id
