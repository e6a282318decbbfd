-- $1 bundle ids, $2 environments: what this daemon answers for; $3 how many; $4 for how long;
-- $5 whether to take those that run alone, or the others.
-- The heads of every app are read from an index, so that an app with a long backlog blocks no
-- other. A transaction that is leased is passed over: the primary key of lease lets one in.
WITH c AS MATERIALIZED (
    SELECT r.* FROM (
        SELECT a.bundle_id, a.environment
        FROM unnest($1::text[], $2::text[]) AS a (bundle_id, environment)
        WHERE NOT EXISTS (SELECT FROM consumptiond.pause p
            WHERE p.bundle_id IS NULL OR p.bundle_id = a.bundle_id)) app
    CROSS JOIN LATERAL (
        SELECT s.id, s.environment, s.transaction_id, s.late, s.deadline
        FROM consumptiond.request_state s
        WHERE s.state = 'queued' AND s.alone = $5::boolean
            AND s.bundle_id = app.bundle_id AND s.environment = app.environment
            AND NOT EXISTS (
                SELECT FROM consumptiond.lease l
                WHERE l.environment = s.environment AND l.transaction_id = s.transaction_id)
        ORDER BY s.late, s.deadline, s.id
        LIMIT $3::integer FOR UPDATE SKIP LOCKED) r),
d AS (
    SELECT DISTINCT ON (environment, transaction_id) id, environment, transaction_id, late, deadline
    FROM c ORDER BY environment, transaction_id, late, deadline, id),
e AS (
    -- Whoever is due first comes first, across apps; late ones after those that can be saved.
    SELECT * FROM d ORDER BY late, deadline, id LIMIT $3::integer),
l AS (
    INSERT INTO consumptiond.lease (environment, transaction_id, request_id, token, until)
    SELECT environment, transaction_id, id, gen_random_uuid(), clock_timestamp() + $4::interval
    FROM e ORDER BY environment, transaction_id
    ON CONFLICT DO NOTHING
    RETURNING request_id, token)
UPDATE consumptiond.request_state s SET state = 'working', state_reason = NULL,
    late = s.late OR s.deadline <= clock_timestamp()
FROM l WHERE s.id = l.request_id
RETURNING s.id, l.token
