-- $1 id, $2 customer, $3 consent. Written when it changed: a held request is looked at many times.
-- What a decision rested on stays as it was: it is the proof for what was sent.
UPDATE consumptiond.request_evidence SET customer = $2, consent = $3::jsonb
WHERE id = $1::bigint AND decided_at IS NULL
    AND (customer IS DISTINCT FROM $2 OR consent IS DISTINCT FROM $3::jsonb)
