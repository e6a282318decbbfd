-- $1 name, $2 whether what is open is cancelled, read or not yet: the original answers it.
WITH o AS (
    SELECT id FROM consumptiond.request_state
    WHERE state IN ('queued', 'waiting', 'working', 'held') FOR UPDATE),
i AS (
    INSERT INTO consumptiond.instance (name) VALUES ($1)
    ON CONFLICT (only_row) DO UPDATE SET name = excluded.name, adopted_at = clock_timestamp()),
l AS (
    DELETE FROM consumptiond.lease WHERE $2::boolean),
n AS (
    UPDATE consumptiond.inbox SET done = true WHERE $2::boolean AND NOT done RETURNING id),
c AS (
    UPDATE consumptiond.request_state s SET state = 'cancelled', state_reason = 'adopted',
        next_attempt_at = NULL
    FROM o WHERE $2::boolean AND s.id = o.id
    RETURNING s.id)
SELECT (SELECT count(*) FROM c) AS cancelled, (SELECT count(*) FROM n) AS unread,
    (SELECT count(*) FROM o) - (SELECT count(*) FROM c) AS open
