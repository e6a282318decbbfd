-- $1 request, $2 token, $3 endpoint, $4 how much of the lease must be left: the whole timeout of
-- the request that is about to go out. No row: the lease is gone or too short, and nothing is sent.
WITH l AS (
    SELECT request_id FROM consumptiond.lease
    WHERE request_id = $1::bigint AND token = $2::uuid
        AND until >= clock_timestamp() + $4::interval
    FOR UPDATE),
s AS (
    UPDATE consumptiond.request_state r SET attempts = r.attempts + 1,
        late = r.late OR r.deadline <= clock_timestamp()
    FROM l WHERE r.id = l.request_id AND r.state = 'working'
    RETURNING r.id, r.attempts, r.late)
INSERT INTO consumptiond.attempt (request_id, number, endpoint, repeat)
SELECT s.id, s.attempts, $3, EXISTS (
    SELECT FROM consumptiond.attempt a
    WHERE a.request_id = s.id AND (a.result IS NULL OR a.result = 'unknown'))
FROM s
RETURNING id, number, repeat, (SELECT s.late FROM s) AS late
