-- $1 bundle id (null: all), $2 by whom, $3 note
INSERT INTO consumptiond.pause (bundle_id, by_whom, note) VALUES ($1, $2, $3)
ON CONFLICT (coalesce(bundle_id, '')) DO NOTHING
RETURNING id
