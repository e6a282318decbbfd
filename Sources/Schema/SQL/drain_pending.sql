-- $1 bundle ids, $2 environments. True while something is left that can be worked on now.
SELECT EXISTS (SELECT FROM consumptiond.inbox WHERE NOT done)
    OR EXISTS (
        SELECT FROM consumptiond.lease l JOIN consumptiond.request_state s ON s.id = l.request_id
        WHERE s.state = 'working')
    OR EXISTS (
        SELECT FROM unnest($1::text[], $2::text[]) AS app (bundle_id, environment)
        JOIN consumptiond.request_state s USING (bundle_id, environment)
        WHERE s.state = 'queued' AND NOT EXISTS (SELECT FROM consumptiond.pause p
            WHERE p.bundle_id IS NULL OR p.bundle_id = app.bundle_id))
    OR EXISTS (
        SELECT FROM consumptiond.request_state
        WHERE state = 'waiting' AND next_attempt_at <= (SELECT clock_timestamp()))
    OR EXISTS (
        -- Nobody here looks at what another daemon's queries keep.
        SELECT FROM unnest($1::text[], $2::text[]) AS app (bundle_id, environment)
        JOIN consumptiond.request_state s USING (bundle_id, environment)
        WHERE s.state = 'held' AND s.next_attempt_at <= (SELECT clock_timestamp()))
    AS pending
