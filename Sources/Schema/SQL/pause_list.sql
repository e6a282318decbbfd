SELECT coalesce(bundle_id, '') AS bundle_id, by_whom, coalesce(note, '') AS note,
    extract(epoch FROM clock_timestamp() - since)::bigint AS seconds
FROM consumptiond.pause ORDER BY bundle_id NULLS FIRST
