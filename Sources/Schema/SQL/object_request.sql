-- What people, dashboards and support tools read.

CREATE OR REPLACE VIEW consumptiond.request AS
SELECT
    s.id,
    e.notification_uuid,
    s.bundle_id,
    s.environment,
    s.transaction_id,
    e.original_transaction_id,
    e.product_id,
    e.product_type,
    e.reason,
    s.signed_at,
    e.received_at,
    s.deadline,
    s.late,
    s.state,
    s.state_reason,
    e.customer,
    e.consent,
    e.period_start,
    e.period_end,
    e.billing_plan,
    e.billing_period_number,
    e.period_position,
    e.cost,
    e.currency,
    e.facts,
    e.rule,
    e.refund_preference,
    CASE WHEN s.degraded THEN e.body::jsonb - 'refundPreference' - 'consumptionPercentage'
        ELSE e.body::jsonb END AS body,
    s.attempts,
    s.next_attempt_at,
    s.last_error,
    s.answered_at,
    a.http_status,
    concat_ws(' ',
        coalesce(e.paragraph, format('At %s Apple asked about the refund of transaction %s (%s)%s.',
            consumptiond.utc(s.signed_at), s.transaction_id, e.product_id,
            coalesce(', reason ' || e.reason, ', no reason given'))),
        consumptiond.state_words(s.state, s.state_reason, s.deadline, s.late, s.next_attempt_at,
            s.attempts, s.answered_at, s.last_error, s.degraded)) AS explanation
FROM consumptiond.request_state s
JOIN consumptiond.request_evidence e USING (id)
LEFT JOIN LATERAL (
    -- The accepted attempt's, else the last one's: a 202 may come after a later attempt began.
    SELECT t.http_status FROM consumptiond.attempt t
    WHERE t.request_id = s.id
    ORDER BY t.result IS NOT DISTINCT FROM 'accepted' DESC, t.number DESC LIMIT 1) a ON true;

COMMENT ON VIEW consumptiond.request IS
    'One row for each CONSUMPTION_REQUEST: what Apple asked, what was known, what was answered.';
COMMENT ON COLUMN consumptiond.request.id IS 'The number that consumptiond.enqueue returned.';
COMMENT ON COLUMN consumptiond.request.notification_uuid IS
    'Apple''s id of the notification, in lower case. Each is a request of its own.';
COMMENT ON COLUMN consumptiond.request.bundle_id IS 'The app.';
COMMENT ON COLUMN consumptiond.request.environment IS 'Production or Sandbox.';
COMMENT ON COLUMN consumptiond.request.transaction_id IS
    'The disputed charge. A renewal has its own.';
COMMENT ON COLUMN consumptiond.request.original_transaction_id IS
    'The first charge of the subscription.';
COMMENT ON COLUMN consumptiond.request.product_id IS 'Apple''s id of the product.';
COMMENT ON COLUMN consumptiond.request.product_type IS
    'Apple''s word: Auto-Renewable Subscription, Non-Renewing Subscription, Consumable, Non-Consumable.';
COMMENT ON COLUMN consumptiond.request.reason IS
    'Why the customer asked, in Apple''s word; may be null.';
COMMENT ON COLUMN consumptiond.request.signed_at IS
    'When Apple signed the request: the deadline counts from here.';
COMMENT ON COLUMN consumptiond.request.received_at IS 'When consumptiond.enqueue took it.';
COMMENT ON COLUMN consumptiond.request.deadline IS 'signed_at + 12 hours (Sandbox: + 5 minutes).';
COMMENT ON COLUMN consumptiond.request.late IS
    'True when the deadline passed before an answer; one attempt is made all the same.';
COMMENT ON COLUMN consumptiond.request.state IS
    'queued, waiting, working, held: open. answered, observed, withheld, settled, failed, missed, cancelled: final.';
COMMENT ON COLUMN consumptiond.request.state_reason IS 'Why it is in that state, in one word.';
COMMENT ON COLUMN consumptiond.request.customer IS 'What the customer query returned.';
COMMENT ON COLUMN consumptiond.request.consent IS
    'What the answer rested on: granted, and when, source, version where the query gives them.';
COMMENT ON COLUMN consumptiond.request.period_start IS 'The purchase of the disputed charge.';
COMMENT ON COLUMN consumptiond.request.period_end IS
    'Its expiry: the first instant that no longer belongs to it. Null for a purchase without end.';
COMMENT ON COLUMN consumptiond.request.billing_plan IS
    'Apple''s word, MONTHLY or BILLED_UPFRONT, of a commitment; else null.';
COMMENT ON COLUMN consumptiond.request.billing_period_number IS
    'Which billing period of the commitment, from 1; else null.';
COMMENT ON COLUMN consumptiond.request.period_position IS
    'current or past, by the newest transaction known; null when unknown.';
COMMENT ON COLUMN consumptiond.request.cost IS
    'What that period cost, in currency; null when unknown.';
COMMENT ON COLUMN consumptiond.request.currency IS 'ISO 4217 code of the usage, not of the price.';
COMMENT ON COLUMN consumptiond.request.facts IS
    'What the rules saw. null: not applicable; absent: unknown.';
COMMENT ON COLUMN consumptiond.request.rule IS 'The rule that decided; null when none did.';
COMMENT ON COLUMN consumptiond.request.refund_preference IS
    'What was decided; null when the field was left out.';
COMMENT ON COLUMN consumptiond.request.body IS 'The answer as accepted or last sent.';
COMMENT ON COLUMN consumptiond.request.attempts IS
    'How many tries there were; consumptiond.attempt has each.';
COMMENT ON COLUMN consumptiond.request.next_attempt_at IS
    'Until when it waits or is held; null in all other states.';
COMMENT ON COLUMN consumptiond.request.last_error IS
    'What went wrong last; stays when it went well afterwards.';
COMMENT ON COLUMN consumptiond.request.answered_at IS 'When Apple''s 202 was recorded.';
COMMENT ON COLUMN consumptiond.request.http_status IS
    'Of the accepted attempt, else of the last; null while none was answered.';
COMMENT ON COLUMN consumptiond.request.explanation IS 'The whole story in plain words.';

COMMENT ON TABLE consumptiond.rejected IS
    'Payloads that are not Apple''s, not ours, or not for this daemon, and why.';
COMMENT ON TABLE consumptiond.attempt IS 'Every try to send an answer, and what came of it.';
