-- A worker lets go of a request that it did not send. The lease row is the fence. Whoever deletes a
-- lease has locked its request before: a claim that finds the request taken holds its row for a
-- moment, and may wait meanwhile for the end of the lease.
-- $1 id, $2 token, $3 state, $4 reason, $5 delay, $6 last_error, $7 an attempt that was written down
-- and never went out: it is none, and is not counted; $8 whether it takes its next turn alone.
WITH r AS MATERIALIZED (
    SELECT id FROM consumptiond.request_state WHERE id = $1::bigint FOR NO KEY UPDATE),
l AS (
    DELETE FROM consumptiond.lease USING r WHERE lease.request_id = r.id AND token = $2::uuid
    RETURNING request_id),
a AS (
    DELETE FROM consumptiond.attempt t USING l
    WHERE t.id = $7::bigint AND t.request_id = l.request_id AND t.result IS NULL
    RETURNING t.id)
UPDATE consumptiond.request_state s SET
    state = $3, state_reason = $4,
    next_attempt_at = CASE WHEN $3 IN ('waiting', 'held')
        THEN least(clock_timestamp() + $5::interval, greatest(s.deadline, clock_timestamp())) END,
    attempts = s.attempts - (SELECT count(*) FROM a),
    looks = CASE WHEN $3 = 'held' THEN s.looks + 1 ELSE s.looks END,
    last_error = coalesce($6, s.last_error),
    alone = s.alone OR $8::boolean
FROM l WHERE s.id = l.request_id AND s.state = 'working'
RETURNING s.id
