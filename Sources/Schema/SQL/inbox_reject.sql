-- $1 id, $2 reason, $3 detail. The payload goes with the rejection: it is nobody's evidence.
WITH i AS (
    UPDATE consumptiond.inbox SET done = true, claimed_until = NULL, payload = NULL
    WHERE id = $1::bigint AND NOT done
    RETURNING id, received_at, sha256,
        (SELECT octet_length(o.payload) FROM consumptiond.inbox o WHERE o.id = $1::bigint) AS bytes)
INSERT INTO consumptiond.rejected (id, received_at, reason, detail, sha256, bytes)
SELECT id, received_at, $2, $3, sha256, bytes FROM i
