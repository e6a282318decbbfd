-- $1 id, $2 whether to decide anew. An open request that nobody works on is ready at once. What was
-- decided is forgotten only where asked, and by then nothing must have gone out: the second answer
-- would not be the bytes of the first.
WITH r AS (
    UPDATE consumptiond.request_state s SET state = 'queued', state_reason = NULL,
        next_attempt_at = NULL, alone = false, looks = 0, degraded = s.degraded AND NOT $2::boolean
    WHERE s.id = $1::bigint AND s.state IN ('queued', 'waiting', 'held')
        AND NOT ($2::boolean AND s.attempts > 0)
    RETURNING s.id)
UPDATE consumptiond.request_evidence e SET
    decided_at = CASE WHEN $2::boolean THEN NULL ELSE e.decided_at END,
    body = CASE WHEN $2::boolean THEN NULL ELSE e.body END,
    paragraph = CASE WHEN $2::boolean THEN NULL ELSE e.paragraph END,
    facts = CASE WHEN $2::boolean THEN NULL ELSE e.facts END,
    cost = CASE WHEN $2::boolean THEN NULL ELSE e.cost END,
    rule = CASE WHEN $2::boolean THEN NULL ELSE e.rule END,
    refund_preference = CASE WHEN $2::boolean THEN NULL ELSE e.refund_preference END
FROM r WHERE e.id = r.id
RETURNING e.id
