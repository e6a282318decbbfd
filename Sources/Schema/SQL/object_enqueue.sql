-- Called inside the webhook's transaction, by a role that may do this and nothing else. It verifies
-- nothing and raises for nothing but null and empty: a forged post must not break that transaction.
-- SECURITY DEFINER with pg_temp last and every name qualified: otherwise a caller's temporary table
-- of the same name takes the row.
CREATE OR REPLACE FUNCTION consumptiond.enqueue(signed_payload text, notify boolean DEFAULT true)
    RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    posted text := btrim(signed_payload, E' \t\r\n\x0B\f');
    hash bytea;
    inserted bigint;
    known bigint;
BEGIN
    IF posted IS NULL OR posted = '' THEN
        RAISE EXCEPTION 'consumptiond.enqueue: the payload is %',
                CASE WHEN signed_payload IS NULL THEN 'null' ELSE 'empty' END
            USING ERRCODE = 'invalid_parameter_value',
                HINT = 'Pass what Apple posted: the body, or its signedPayload.';
    END IF;

    IF octet_length(posted) > 262144 THEN
        hash := sha256(convert_to(posted, 'UTF8'));
        INSERT INTO consumptiond.rejected (id, received_at, reason, detail, sha256, bytes)
        VALUES (nextval(pg_get_serial_sequence('consumptiond.inbox', 'id')), clock_timestamp(),
            'too_large', format('%s bytes, at most 262144 are taken', octet_length(posted)), hash,
            octet_length(posted))
        ON CONFLICT (sha256) DO NOTHING
        RETURNING id INTO inserted;
        IF inserted IS NULL THEN
            SELECT r.id INTO inserted FROM consumptiond.rejected r WHERE r.sha256 = hash;
        END IF;
        RETURN inserted;
    END IF;

    IF left(posted, 1) = '{' THEN
        BEGIN
            posted := coalesce(
                nullif(btrim(posted::jsonb ->> 'signedPayload', E' \t\r\n\x0B\f'), ''), posted);
        EXCEPTION WHEN OTHERS THEN
            NULL;  -- not JSON: kept as it came, and rejected with its reason when it is verified
        END;
    END IF;

    hash := sha256(convert_to(posted, 'UTF8'));
    INSERT INTO consumptiond.inbox (sha256, payload) VALUES (hash, posted)
    ON CONFLICT (sha256) DO NOTHING
    RETURNING id INTO inserted;
    IF inserted IS NULL THEN
        SELECT i.id INTO known FROM consumptiond.inbox i WHERE i.sha256 = hash;
        RETURN known;
    END IF;

    -- NOTIFY serializes commits. While an earlier row waits unclaimed, the daemon has been called.
    IF notify AND NOT EXISTS (
        SELECT FROM consumptiond.inbox i
        WHERE NOT i.done AND i.claimed_until IS NULL AND i.id <> inserted) THEN
        PERFORM pg_notify('consumptiond', '');
    END IF;
    RETURN inserted;
END
$$;

REVOKE ALL ON FUNCTION consumptiond.enqueue(text, boolean) FROM PUBLIC;

COMMENT ON FUNCTION consumptiond.enqueue(text, boolean) IS
    'Hands over what Apple posted: its whole body, or the signedPayload in it. Returns the id of the request. The same payload twice is one notification. notify => false does not wake the daemon: it looks by itself within seconds.';
