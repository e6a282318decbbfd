-- The explanation of a request in plain words, as far as its state tells it.

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
        WHEN 'settle' THEN 'usage of the period may still be arriving'
        WHEN 'retry' THEN 'the attempt is repeated'
        WHEN 'apple_unreachable' THEN 'Apple could not be reached or had no answer'
        WHEN 'expired_on_arrival' THEN 'it arrived after Apple stopped waiting'
        WHEN 'outcome_unknown' THEN 'the answer went out, and whether Apple took it is not known'
        WHEN 'apple_refused' THEN 'Apple refused the answer'
        WHEN 'unauthorized' THEN 'Apple rejected our credentials'
        WHEN 'gate' THEN 'Apple takes no answers from this app for now'
        WHEN 'review' THEN 'a person must look at it'
        WHEN 'unreadable' THEN 'the stored transaction cannot be read'
        WHEN 'undecided' THEN 'its decision could not be stored'
        WHEN 'worker_died' THEN 'workers died while they worked on it'
        WHEN 'rate_limited' THEN 'Apple limited our rate until the deadline had passed'
        WHEN 'no_worker' THEN 'no worker came to it in time'
        WHEN 'advanced_commerce_unsupported' THEN 'answers for Advanced Commerce purchases are not supported'
        ELSE CASE WHEN reason ~ '^apple_[0-9]+$'
            THEN format('Apple refused the answer with code %s', substr(reason, 7))
            ELSE replace(reason, '_', ' ') END
    END
$$;

-- The last part of a request's story: what its state, attempts and next attempt say.
CREATE OR REPLACE FUNCTION consumptiond.state_words(
    state text, state_reason text, deadline timestamptz, late boolean, next_attempt_at timestamptz,
    attempts integer, answered_at timestamptz, last_error text, degraded boolean) RETURNS text
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT concat_ws(' ',
        CASE WHEN attempts > 0 AND state <> 'answered'
            THEN format('It was tried %s so far.',
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
            WHEN 'observed' THEN format('Nothing %s: the daemon only observes.',
                CASE WHEN attempts > 0 THEN 'more was sent' ELSE 'was sent' END)
            WHEN 'withheld' THEN format('Nothing %s: %s.',
                CASE WHEN attempts > 0 THEN 'more was sent' ELSE 'was sent' END,
                consumptiond.reason_words(state_reason))
            WHEN 'settled' THEN 'Apple decided before it was answered.'
            WHEN 'failed' THEN format('It failed for good: %s.', consumptiond.reason_words(state_reason))
            WHEN 'missed' THEN format('The deadline was missed: %s.', consumptiond.reason_words(state_reason))
            WHEN 'cancelled' THEN 'It was cancelled.'
        END,
        CASE WHEN state = 'answered' AND 'repeat' = ANY (string_to_array(state_reason, ' '))
            THEN 'An earlier attempt may have reached Apple too, with the same content.' END,
        CASE WHEN state = 'answered' AND degraded
            THEN 'Apple had refused the optional fields, so the answer carried the required ones alone.' END,
        CASE WHEN state IN ('queued', 'working', 'waiting', 'held') AND NOT late
            THEN format('The answer is due by %s.', consumptiond.utc(deadline)) END)
$$;
