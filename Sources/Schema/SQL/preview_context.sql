-- $1 environment, $2 transaction, $3 its subscription, $4 its purchase: what is known of a charge
-- that need not have a request. Reads alone.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now,
    (SELECT (extract(epoch FROM min(n.purchase_date)) * 1000000)::bigint
     FROM consumptiond.ledger n
     WHERE n.environment = $1 AND n.original_transaction_id = $3
        AND n.purchase_date > $4::timestamptz) AS later_purchase,
    (SELECT (extract(epoch FROM n.revocation_date) * 1000000)::bigint
     FROM consumptiond.ledger n
     WHERE n.environment = $1 AND n.transaction_id = $2
     ORDER BY n.signed_at DESC LIMIT 1) AS revocation_date,
    o.preference AS override, o.by_whom
FROM (VALUES (1)) AS one (row)
LEFT JOIN LATERAL (
    SELECT v.preference, v.by_whom FROM consumptiond.override v
    WHERE v.transaction_id = $2 ORDER BY v.at DESC, v.id DESC LIMIT 1) o ON true
