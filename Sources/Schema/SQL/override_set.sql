-- $1 id of a request, $2 preference, $3 by whom, $4 note. A person decides about its transaction;
-- what the rules decided is decided again, as long as nothing went out.
WITH s AS (
    SELECT id, transaction_id FROM consumptiond.request_state
    WHERE id = $1::bigint AND state IN ('queued', 'waiting', 'held') AND attempts = 0
    FOR UPDATE),
o AS (
    INSERT INTO consumptiond.override (transaction_id, preference, by_whom, note)
    SELECT transaction_id, $2, $3, $4 FROM s),
e AS (
    UPDATE consumptiond.request_evidence e SET decided_at = NULL, body = NULL, paragraph = NULL,
        facts = NULL, cost = NULL, rule = NULL, refund_preference = NULL
    FROM s WHERE e.id = s.id)
UPDATE consumptiond.request_state r SET state = 'queued', state_reason = NULL,
    next_attempt_at = NULL
FROM s WHERE r.id = s.id
RETURNING r.id
