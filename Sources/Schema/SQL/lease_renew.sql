-- $1 tokens, $2 for how long. The tokens that do not come back are lost.
UPDATE consumptiond.lease SET until = clock_timestamp() + $2::interval
WHERE token = ANY ($1::uuid[])
RETURNING token
