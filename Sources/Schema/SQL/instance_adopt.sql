-- $1 name, $2 whether open requests are cancelled: the original answers them.
WITH i AS (
    INSERT INTO consumptiond.instance (name) VALUES ($1)
    ON CONFLICT (only_row) DO UPDATE SET name = excluded.name, adopted_at = clock_timestamp()
    RETURNING name),
l AS (
    DELETE FROM consumptiond.lease WHERE $2::boolean AND EXISTS (SELECT FROM i)),
c AS (
    UPDATE consumptiond.request_state SET state = 'cancelled', state_reason = 'adopted',
        next_attempt_at = NULL
    WHERE $2::boolean AND state IN ('queued', 'waiting', 'working', 'held')
    RETURNING id)
SELECT count(*) AS cancelled FROM c
