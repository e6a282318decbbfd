-- $1 id: what became of a payload that is no request.
SELECT CASE WHEN r.id IS NOT NULL THEN 'rejected' WHEN NOT i.done THEN 'unread'
        WHEN l.id IS NOT NULL THEN 'acknowledged' ELSE 'repeated' END AS fate,
    coalesce(r.reason || ': ' || r.detail, l.notification_type, '') AS detail
FROM (VALUES ($1::bigint)) AS asked (id)
LEFT JOIN consumptiond.inbox i USING (id)
LEFT JOIN consumptiond.rejected r USING (id)
LEFT JOIN consumptiond.ledger l USING (id)
WHERE i.id IS NOT NULL OR r.id IS NOT NULL
