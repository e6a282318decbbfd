CREATE OR REPLACE FUNCTION consumptiond.utc(at timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC'
$$;

-- What a reason word means, to people who have not read the manual.
CREATE OR REPLACE FUNCTION consumptiond.reason_words(reason text) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE reason
        WHEN 'no_consent' THEN 'the customer has not consented'
        WHEN 'consent_ambiguous' THEN 'the consent query returned more than one row'
        WHEN 'customer_unknown' THEN 'no customer is known for this purchase'
        WHEN 'customer_ambiguous' THEN 'more than one customer was found for this purchase'
        WHEN 'customer_gone' THEN 'the customer no longer exists'
        WHEN 'family_shared' THEN 'the purchase is shared by a family, and Apple takes no answer for it'
        WHEN 'assigned' THEN 'the purchase was assigned by an organization, and Apple takes no answer for it'
        WHEN 'rule' THEN 'a rule says not to answer'
        WHEN 'usage_unavailable' THEN 'usage could not be read'
        WHEN 'consent_unavailable' THEN 'consent could not be read'
        WHEN 'customer_unavailable' THEN 'the customer could not be looked up'
        WHEN 'retry' THEN 'the attempt is repeated'
        WHEN 'apple_unreachable' THEN 'Apple could not be reached or had no answer'
        WHEN 'expired_on_arrival' THEN 'it arrived after Apple stopped waiting'
        WHEN 'outcome_unknown' THEN 'the answer went out, and whether Apple took it is not known'
        WHEN 'credentials_rejected' THEN 'Apple rejected our credentials'
        WHEN 'rate_limited' THEN 'Apple limited our rate until the deadline had passed'
        WHEN 'no_worker' THEN 'no worker came to it in time'
        WHEN 'advanced_commerce_unsupported' THEN 'answers for Advanced Commerce purchases are not supported'
        ELSE replace(reason, '_', ' ')
    END
$$;

-- The last part of a request's story: what its state, attempts and next attempt say.
CREATE OR REPLACE FUNCTION consumptiond.state_words(
    state text, state_reason text, deadline timestamptz, late boolean, next_attempt_at timestamptz,
    attempts integer, answered_at timestamptz, last_error text, degraded boolean) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT concat_ws(' ',
        CASE WHEN attempts > 0 AND state <> 'answered'
            THEN format('It was sent %s so far.',
                CASE attempts WHEN 1 THEN 'once' WHEN 2 THEN 'twice' ELSE attempts || ' times' END)
        END,
        CASE WHEN last_error IS NOT NULL AND state <> 'answered'
            THEN format('The last trouble was: %s.', rtrim(last_error, '.')) END,
        CASE WHEN late AND state IN ('queued', 'working')
            THEN 'The deadline has passed; it is tried once more.' END,
        CASE state
            WHEN 'queued' THEN 'It is ready for a worker.'
            WHEN 'working' THEN 'A worker is on it now.'
            WHEN 'waiting' THEN format('It waits until %s (%s).',
                consumptiond.utc(next_attempt_at), consumptiond.reason_words(state_reason))
            WHEN 'held' THEN format('It is held: %s. It is looked at again at %s; nothing is sent before that changes.',
                consumptiond.reason_words(state_reason), consumptiond.utc(next_attempt_at))
            WHEN 'answered' THEN format('Apple accepted the answer at %s%s%s.',
                consumptiond.utc(answered_at),
                CASE WHEN attempts > 1 THEN format(', at attempt %s', attempts) ELSE '' END,
                CASE WHEN answered_at > deadline THEN ', after the deadline' ELSE '' END)
            WHEN 'observed' THEN 'Nothing was sent: the daemon only observes.'
            WHEN 'withheld' THEN format('Nothing %s: %s.',
                CASE WHEN attempts > 0 THEN 'more was sent' ELSE 'was sent' END,
                consumptiond.reason_words(state_reason))
            WHEN 'settled' THEN 'Apple decided before it was answered.'
            WHEN 'failed' THEN format('It failed for good: %s.', consumptiond.reason_words(state_reason))
            WHEN 'missed' THEN format('The deadline was missed: %s.', consumptiond.reason_words(state_reason))
            WHEN 'cancelled' THEN 'It was cancelled.'
        END,
        CASE WHEN state = 'answered' AND state_reason ~ '\mrepeat\M'
            THEN 'An earlier attempt may have reached Apple too, with the same content.' END,
        CASE WHEN state = 'answered' AND degraded
            THEN 'Apple had refused the optional fields, so the answer carried the required ones alone.' END,
        CASE WHEN state IN ('queued', 'working', 'waiting', 'held') AND NOT late
            THEN format('The answer is due by %s.', consumptiond.utc(deadline)) END)
$$;

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
    SELECT t.http_status FROM consumptiond.attempt t
    WHERE t.request_id = s.id ORDER BY t.number DESC LIMIT 1) a ON true;

COMMENT ON VIEW consumptiond.request IS
    'One row for each CONSUMPTION_REQUEST: what Apple asked, what was known, what was answered.';
COMMENT ON COLUMN consumptiond.request.id IS 'The number that consumptiond.enqueue returned.';
COMMENT ON COLUMN consumptiond.request.transaction_id IS 'The disputed charge. A renewal has its own.';
COMMENT ON COLUMN consumptiond.request.original_transaction_id IS 'The first charge of the subscription.';
COMMENT ON COLUMN consumptiond.request.reason IS 'Why the customer asked, in Apple''s word; may be null.';
COMMENT ON COLUMN consumptiond.request.signed_at IS 'When Apple signed the request: the deadline counts from here.';
COMMENT ON COLUMN consumptiond.request.received_at IS 'When consumptiond.enqueue took it.';
COMMENT ON COLUMN consumptiond.request.deadline IS 'signed_at + 12 hours (Sandbox: + 5 minutes).';
COMMENT ON COLUMN consumptiond.request.late IS 'True when the deadline passed before an answer; one attempt is made all the same.';
COMMENT ON COLUMN consumptiond.request.state IS
    'queued, waiting, working, held: open. answered, observed, withheld, settled, failed, missed, cancelled: final.';
COMMENT ON COLUMN consumptiond.request.state_reason IS 'Why it is in that state, in one word.';
COMMENT ON COLUMN consumptiond.request.customer IS 'What the customer query returned.';
COMMENT ON COLUMN consumptiond.request.consent IS 'What the answer rested on: granted, and when, source, version where the query gives them.';
COMMENT ON COLUMN consumptiond.request.period_start IS 'The purchase of the disputed charge.';
COMMENT ON COLUMN consumptiond.request.period_end IS 'Its expiry: the first instant that no longer belongs to it. Null for a purchase without end.';
COMMENT ON COLUMN consumptiond.request.period_position IS 'current or past, by the newest transaction known; null when unknown.';
COMMENT ON COLUMN consumptiond.request.cost IS 'What that period cost, in currency; null when unknown.';
COMMENT ON COLUMN consumptiond.request.facts IS 'What the rules saw. null: not applicable; absent: unknown.';
COMMENT ON COLUMN consumptiond.request.rule IS 'The rule that decided; null when none did.';
COMMENT ON COLUMN consumptiond.request.refund_preference IS 'What was said; null when the field was left out.';
COMMENT ON COLUMN consumptiond.request.body IS 'The answer as accepted or last sent.';
COMMENT ON COLUMN consumptiond.request.attempts IS 'How many times it went out; consumptiond.attempt has each.';
COMMENT ON COLUMN consumptiond.request.explanation IS 'The whole story in plain words.';
COMMENT ON TABLE consumptiond.rejected IS 'Payloads that are not Apple''s, not ours, or not for this daemon, and why.';
COMMENT ON TABLE consumptiond.attempt IS 'Every try to send an answer, and what came of it.';
