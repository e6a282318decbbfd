-- $1 id. The whole row as stable JSON keys, with its tries.
SELECT (to_jsonb(r) || jsonb_build_object('tries', coalesce((
    SELECT jsonb_agg(to_jsonb(a) - 'request_id' ORDER BY a.number)
    FROM consumptiond.attempt a WHERE a.request_id = r.id), '[]'))) AS request
FROM consumptiond.request r WHERE r.id = $1::bigint
