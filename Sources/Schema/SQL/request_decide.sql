-- Once, by the worker that holds the lease, before the first send: a retry sends the same bytes.
UPDATE consumptiond.request_evidence e SET
    customer = $3, consent = $4::jsonb, period_start = $5::timestamptz, period_end = $6::timestamptz,
    billing_plan = $7, billing_period_number = $8::integer, period_position = $9,
    cost = $10::numeric, currency = $11, facts = $12::jsonb, rule = $13, refund_preference = $14,
    body = $15, paragraph = $16, decided_at = clock_timestamp()
FROM consumptiond.lease l
WHERE e.id = $1::bigint AND e.decided_at IS NULL
    AND l.request_id = e.id AND l.token = $2::uuid
RETURNING e.id
