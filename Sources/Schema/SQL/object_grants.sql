-- Run at every migration: grants to those roles that exist. Without the roles the connecting role
-- owns everything, and everything works for it.
REVOKE ALL ON SCHEMA consumptiond FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA consumptiond FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA consumptiond FROM PUBLIC;

DO $$
BEGIN
    IF to_regrole('consumptiond') IS NOT NULL THEN
        GRANT USAGE ON SCHEMA consumptiond TO consumptiond;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA consumptiond TO consumptiond;
        REVOKE INSERT, UPDATE, DELETE ON consumptiond.schema_version FROM consumptiond;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA consumptiond TO consumptiond;
    END IF;
    IF to_regrole('consumptiond_enqueue') IS NOT NULL THEN
        GRANT USAGE ON SCHEMA consumptiond TO consumptiond_enqueue;
        GRANT EXECUTE ON FUNCTION consumptiond.enqueue(text, boolean) TO consumptiond_enqueue;
    END IF;
    IF to_regrole('consumptiond_reader') IS NOT NULL THEN
        GRANT USAGE ON SCHEMA consumptiond TO consumptiond_reader;
        GRANT SELECT (id, notification_uuid, bundle_id, environment, transaction_id,
            original_transaction_id, product_id, product_type, reason, signed_at, received_at,
            deadline, late, state, state_reason, period_start, period_end, billing_plan,
            billing_period_number, period_position, cost, currency, rule, refund_preference,
            attempts, next_attempt_at, last_error, answered_at, http_status)
            ON consumptiond.request TO consumptiond_reader;
        GRANT SELECT ON consumptiond.rejected, consumptiond.attempt TO consumptiond_reader;
    END IF;
    IF to_regrole('consumptiond_support') IS NOT NULL THEN
        GRANT USAGE ON SCHEMA consumptiond TO consumptiond_support;
        GRANT SELECT ON consumptiond.request, consumptiond.rejected, consumptiond.attempt
            TO consumptiond_support;
        -- What the view calls, it calls in the name of whoever reads it.
        GRANT EXECUTE ON FUNCTION consumptiond.utc, consumptiond.reason_words,
            consumptiond.state_words TO consumptiond_support;
    END IF;
END
$$;
