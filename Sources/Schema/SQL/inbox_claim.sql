-- $1 how many, $2 for how long. The count of deaths and the claim are committed before anything is
-- parsed: a row that kills its reader is then known by its count, and comes back when the claim ends.
-- Half of them are the newest: a flood of forged payloads does not bury a true one.
WITH oldest AS MATERIALIZED (
    SELECT id FROM consumptiond.inbox
    WHERE NOT done AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())
    ORDER BY id LIMIT ($1::integer + 1) / 2 FOR UPDATE SKIP LOCKED),
newest AS MATERIALIZED (
    SELECT id FROM consumptiond.inbox
    WHERE NOT done AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())
    ORDER BY id DESC LIMIT $1::integer / 2 FOR UPDATE SKIP LOCKED),
c AS (SELECT id FROM oldest UNION SELECT id FROM newest)
UPDATE consumptiond.inbox i
SET deaths = least(i.deaths + 1, 1000), claimed_until = clock_timestamp() + $2::interval
FROM c WHERE i.id = c.id
RETURNING i.id, i.payload, i.deaths, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now
