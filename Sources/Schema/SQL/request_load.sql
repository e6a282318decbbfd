-- $1 ids. What a worker needs of each, with what the ledger knows of its subscription by now.
SELECT s.id, s.bundle_id, s.environment, s.transaction_id, s.late, s.attempts, s.looks,
    s.degraded, s.alone, e.original_transaction_id, e.reason, e.transaction, e.renewal, e.body,
    CASE WHEN e.decided_at IS NOT NULL THEN e.customer END AS decided_for,
    e.decided_at IS NOT NULL AS decided,
    coalesce(s.state_reason, '') = 'review' AS under_review, o.preference AS override, o.by_whom,
    -- Instants as microseconds since 1970: no session setting touches them.
    (extract(epoch FROM s.signed_at) * 1000000)::bigint AS signed_at,
    (extract(epoch FROM s.deadline) * 1000000)::bigint AS deadline,
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now,
    (SELECT (extract(epoch FROM min(n.purchase_date)) * 1000000)::bigint
     FROM consumptiond.ledger n
     WHERE n.environment = s.environment AND n.original_transaction_id = e.original_transaction_id
        AND n.purchase_date > (SELECT o.purchase_date FROM consumptiond.ledger o WHERE o.id = s.id)
    ) AS later_purchase,
    (SELECT (extract(epoch FROM n.revocation_date) * 1000000)::bigint
     FROM consumptiond.ledger n
     WHERE n.environment = s.environment AND n.transaction_id = s.transaction_id
     ORDER BY n.signed_at DESC LIMIT 1) AS revocation_date,
    -- Apple's decision may arrive while a worker holds the request, where it settles nothing.
    EXISTS (
        SELECT FROM consumptiond.ledger n
        WHERE n.environment = s.environment AND n.transaction_id = s.transaction_id
            AND n.signed_at >= s.signed_at
            AND n.notification_type IN ('REFUND', 'REFUND_DECLINED')) AS settled
FROM consumptiond.request_state s JOIN consumptiond.request_evidence e USING (id)
LEFT JOIN LATERAL (
    SELECT v.preference, v.by_whom FROM consumptiond.override v
    WHERE v.transaction_id = s.transaction_id ORDER BY v.at DESC, v.id DESC LIMIT 1) o ON true
WHERE s.id = ANY ($1::bigint[])
ORDER BY s.late, s.deadline, s.id
