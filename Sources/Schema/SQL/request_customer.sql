-- $1 id, $2 customer, $3 consent, $4 the lease's token; null: of a held request, which has none.
-- Written when it changed: a held request is looked at many times. What a decision rested on stays.
UPDATE consumptiond.request_evidence SET customer = $2, consent = $3::jsonb
WHERE id = $1::bigint AND decided_at IS NULL
    AND EXISTS (
        SELECT FROM consumptiond.request_state s
        LEFT JOIN consumptiond.lease l ON l.request_id = s.id
        WHERE s.id = $1::bigint AND CASE WHEN $4::uuid IS NULL THEN s.state = 'held'
            ELSE l.token = $4::uuid END)
    AND (customer IS DISTINCT FROM $2 OR consent IS DISTINCT FROM $3::jsonb)
