-- A verified notification becomes its row in the ledger and, when it asks for consumption
-- information, a request. Another payload with a known UUID is acknowledged and opens nothing.
-- A row that another reader has finished meanwhile stays as that one left it.
-- $1 id, $2…$17 the ledger's columns, $18 whether it is a request; and for requests: $19 deadline,
-- $20 until when one late attempt is made, $21 product type, $22 reason.
WITH i AS MATERIALIZED (
    SELECT id, received_at FROM consumptiond.inbox WHERE id = $1::bigint AND NOT done FOR UPDATE),
known AS (
    INSERT INTO consumptiond.ledger (id, bundle_id, environment, notification_uuid,
        notification_type, subtype, signed_at, transaction_id, original_transaction_id, product_id,
        purchase_date, expires_date, revocation_date, revocation_type, revocation_percentage,
        transaction, renewal)
    SELECT id, $2, $3, $4, $5, $6, $7::timestamptz, $8, $9, $10, $11::timestamptz,
        $12::timestamptz, $13::timestamptz, $14, $15::integer, $16::json, $17::json
    FROM i
    ON CONFLICT (bundle_id, environment, notification_uuid) DO NOTHING
    RETURNING id),
state AS (
    INSERT INTO consumptiond.request_state (id, bundle_id, environment, transaction_id, signed_at,
        deadline, late, state, state_reason)
    SELECT id, $2, $3, $8, $7::timestamptz, $19::timestamptz,
        $19::timestamptz <= clock_timestamp() AND $20::timestamptz > clock_timestamp(),
        CASE WHEN decided.already THEN 'settled'
            WHEN $20::timestamptz > clock_timestamp() THEN 'queued' ELSE 'missed' END,
        CASE WHEN decided.already OR $20::timestamptz > clock_timestamp() THEN NULL
            ELSE 'expired_on_arrival' END
    FROM known CROSS JOIN (
        -- Apple's decision may arrive before the request that it was made on.
        SELECT EXISTS (
            SELECT FROM consumptiond.ledger n
            WHERE n.environment = $3 AND n.transaction_id = $8 AND n.signed_at >= $7::timestamptz
                AND n.notification_type IN ('REFUND', 'REFUND_DECLINED')) AS already) decided
    WHERE $18::boolean
    RETURNING id, state),
evidence AS (
    INSERT INTO consumptiond.request_evidence (id, notification_uuid, original_transaction_id,
        product_id, product_type, reason, received_at, transaction, renewal)
    SELECT s.id, $4, $9, $10, $21, $22, i.received_at, $16::json, $17::json
    FROM state s JOIN i USING (id)),
settled AS (
    -- Apple has decided: whoever still asks for this transaction needs no answer any more.
    UPDATE consumptiond.request_state r SET state = 'settled', state_reason = NULL,
        next_attempt_at = NULL
    WHERE $5 IN ('REFUND', 'REFUND_DECLINED') AND EXISTS (SELECT FROM known)
        AND r.environment = $3 AND r.transaction_id = $8 AND r.signed_at <= $7::timestamptz
        AND r.state IN ('queued', 'waiting', 'held'))
UPDATE consumptiond.inbox SET done = true, claimed_until = NULL
FROM i WHERE inbox.id = i.id
RETURNING (SELECT s.state FROM state s) AS state
