-- $1 bundle id (null: the pause of all)
DELETE FROM consumptiond.pause WHERE bundle_id IS NOT DISTINCT FROM $1 RETURNING id
