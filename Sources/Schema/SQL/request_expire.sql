-- At the deadline: what may not be answered is withheld, what may gets one late attempt.
WITH c AS MATERIALIZED (
    SELECT id, state = 'held' AND state_reason IN ('no_consent', 'consent_ambiguous',
        'customer_unknown', 'customer_ambiguous') AS withheld
    FROM consumptiond.request_state
    WHERE state IN ('queued', 'waiting', 'held') AND NOT late
        AND deadline <= (SELECT clock_timestamp())
    ORDER BY deadline LIMIT 500 FOR UPDATE SKIP LOCKED)
UPDATE consumptiond.request_state s SET
    state = CASE WHEN c.withheld THEN 'withheld' ELSE 'queued' END,
    state_reason = CASE WHEN c.withheld THEN CASE s.state_reason
        WHEN 'customer_ambiguous' THEN 'customer_unknown'
        WHEN 'consent_ambiguous' THEN 'no_consent'
        ELSE s.state_reason END END,
    next_attempt_at = NULL,
    late = NOT c.withheld
FROM c WHERE s.id = c.id
RETURNING s.id, s.state, s.state_reason
