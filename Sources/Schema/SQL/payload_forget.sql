-- $1 how long payloads are kept after they are done with. The rows stay: their hashes keep a
-- notification from being opened again.
WITH c AS MATERIALIZED (
    SELECT id FROM consumptiond.inbox
    WHERE done AND payload IS NOT NULL AND received_at < (SELECT clock_timestamp()) - $1::interval
        AND NOT EXISTS (SELECT FROM consumptiond.request_state s WHERE s.id = inbox.id
            AND s.state IN ('queued', 'waiting', 'working', 'held'))
    ORDER BY received_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
UPDATE consumptiond.inbox i SET payload = NULL FROM c WHERE i.id = c.id
