-- $1 what a person typed, $2 the same as a number where it is one. Digits match a request id
-- first, then a transaction id. By the view alone, which is all that support agents may read.
WITH by_id AS (SELECT id FROM consumptiond.request WHERE id = $2::bigint)
SELECT id FROM by_id
UNION
SELECT id FROM consumptiond.request
WHERE transaction_id = $1 AND environment IN ('Production', 'Sandbox')
    AND NOT EXISTS (SELECT FROM by_id)
UNION
SELECT id FROM consumptiond.request
WHERE notification_uuid = $1 AND NOT EXISTS (SELECT FROM by_id)
ORDER BY id
