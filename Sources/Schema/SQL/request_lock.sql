-- $1 ids, $2 tokens. For a transaction that ends several leases: all requests are locked before the
-- first lease goes, or it could wait for a claim that waits for it; and all leases in the order of
-- their requests, as the lease keeper does it.
WITH r AS MATERIALIZED (
    SELECT id FROM consumptiond.request_state WHERE id = ANY ($1::bigint[])
    ORDER BY id FOR NO KEY UPDATE)
SELECT FROM consumptiond.lease
WHERE request_id = ANY (ARRAY(SELECT id FROM r)) AND token = ANY ($2::uuid[])
ORDER BY request_id FOR UPDATE
