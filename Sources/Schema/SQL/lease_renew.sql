-- $1 tokens, $2 for how long. The tokens that do not come back are lost.
-- Locked in the order in which results are written: in another the two would wait for each other.
WITH l AS MATERIALIZED (
    SELECT request_id FROM consumptiond.lease WHERE token = ANY ($1::uuid[])
    ORDER BY request_id FOR UPDATE)
UPDATE consumptiond.lease SET until = clock_timestamp() + $2::interval
FROM l WHERE lease.request_id = l.request_id
RETURNING token
