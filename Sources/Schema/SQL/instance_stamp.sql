-- $1 name. The first daemon that names its instance stamps the database; a database that has a
-- stamp keeps it.
WITH i AS (
    INSERT INTO consumptiond.instance (name) SELECT $1::text WHERE $1::text IS NOT NULL
    ON CONFLICT (only_row) DO NOTHING
    RETURNING name)
SELECT name FROM i UNION ALL SELECT name FROM consumptiond.instance LIMIT 1
