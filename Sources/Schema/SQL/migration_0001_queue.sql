-- The queue: what arrived, what is to be answered, who works on it, and what was tried.

CREATE TABLE consumptiond.schema_version (
    version integer PRIMARY KEY,
    min_daemon integer NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What the webhook handed over. The hash is that of the trimmed signedPayload, so that the same
-- notification is one row however it was wrapped. The row outlives its payload: the hash is what
-- keeps an old notification from being opened again.
CREATE TABLE consumptiond.inbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256 bytea NOT NULL UNIQUE,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done boolean NOT NULL DEFAULT false,
    deaths smallint NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    payload text,
    CHECK (done OR payload IS NOT NULL)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE INDEX inbox_undone ON consumptiond.inbox (id) WHERE NOT done;
CREATE INDEX inbox_payload ON consumptiond.inbox (received_at) WHERE done AND payload IS NOT NULL;

-- Payloads that are not Apple's, not ours, or not for this daemon.
CREATE TABLE consumptiond.rejected (
    id bigint PRIMARY KEY,
    received_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason IN ('too_large', 'malformed', 'algorithm', 'date', 'chain',
        'signature', 'version', 'environment', 'bundle_id', 'app_apple_id')),
    detail text NOT NULL,
    sha256 bytea NOT NULL UNIQUE,
    bytes integer NOT NULL
);

-- One row for each verified notification, of whatever type: the key that swallows Apple's
-- re-deliveries, and what is known of purchases, renewals, revocations and refunds.
CREATE TABLE consumptiond.ledger (
    id bigint PRIMARY KEY REFERENCES consumptiond.inbox (id),
    bundle_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    notification_uuid text NOT NULL,
    notification_type text NOT NULL,
    subtype text,
    signed_at timestamptz NOT NULL,
    transaction_id text,
    original_transaction_id text,
    product_id text,
    purchase_date timestamptz,
    expires_date timestamptz,
    revocation_date timestamptz,
    revocation_type text,
    revocation_percentage integer,
    transaction json,
    renewal json,
    UNIQUE (bundle_id, environment, notification_uuid),
    CHECK ((transaction_id IS NULL) = (original_transaction_id IS NULL)),
    CHECK ((transaction_id IS NULL) = (purchase_date IS NULL))
);

CREATE INDEX ledger_subscription
    ON consumptiond.ledger (environment, original_transaction_id, purchase_date);
CREATE INDEX ledger_transaction ON consumptiond.ledger (environment, transaction_id, signed_at);

-- The hot row of a request. Narrow, because a row is written whole at each change of state.
CREATE TABLE consumptiond.request_state (
    id bigint PRIMARY KEY REFERENCES consumptiond.inbox (id),
    bundle_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    transaction_id text NOT NULL,
    signed_at timestamptz NOT NULL,
    deadline timestamptz NOT NULL,
    late boolean NOT NULL DEFAULT false,
    state text NOT NULL CHECK (state IN ('queued', 'waiting', 'working', 'held', 'answered',
        'observed', 'withheld', 'settled', 'failed', 'missed', 'cancelled')),
    state_reason text,
    next_attempt_at timestamptz,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    looks integer NOT NULL DEFAULT 0 CHECK (looks >= 0),
    -- True from the moment Apple refused an optional field: the answer then carries the three
    -- required ones alone.
    degraded boolean NOT NULL DEFAULT false,
    -- What went wrong last, for people: ids and reasons, never a customer or a payload.
    last_error text,
    answered_at timestamptz,
    -- Who waits, waits until an instant; nobody else does.
    CHECK ((state IN ('waiting', 'held')) = (next_attempt_at IS NOT NULL)),
    CHECK ((state = 'answered') = (answered_at IS NOT NULL)),
    CHECK (state NOT IN ('waiting', 'held', 'withheld', 'failed', 'missed')
        OR state_reason IS NOT NULL),
    CHECK (state <> 'answered' OR attempts > 0)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

CREATE INDEX request_ready ON consumptiond.request_state
    (bundle_id, environment, late, deadline, id) WHERE state = 'queued';
CREATE INDEX request_waiting ON consumptiond.request_state (next_attempt_at)
    WHERE state = 'waiting';
CREATE INDEX request_held ON consumptiond.request_state (next_attempt_at) WHERE state = 'held';
CREATE INDEX request_deadline ON consumptiond.request_state (deadline)
    WHERE state IN ('queued', 'waiting', 'held') AND NOT late;
CREATE INDEX request_transaction ON consumptiond.request_state (environment, transaction_id);

-- A final state is never left, whatever statement asks for it.
CREATE FUNCTION consumptiond.refuse_to_leave_final_state() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'request % is %, which is final: it cannot become %',
        OLD.id, OLD.state, NEW.state USING ERRCODE = 'object_not_in_prerequisite_state';
END
$$;
REVOKE ALL ON FUNCTION consumptiond.refuse_to_leave_final_state() FROM PUBLIC;

CREATE TRIGGER final_state BEFORE UPDATE OF state ON consumptiond.request_state FOR EACH ROW
    WHEN (OLD.state IN ('answered', 'observed', 'withheld', 'settled', 'failed', 'missed',
        'cancelled') AND NEW.state IS DISTINCT FROM OLD.state)
    EXECUTE FUNCTION consumptiond.refuse_to_leave_final_state();

-- The cold row: what was asked, and, written once by the decision, what was known and said.
CREATE TABLE consumptiond.request_evidence (
    id bigint PRIMARY KEY REFERENCES consumptiond.request_state (id),
    notification_uuid text NOT NULL,
    original_transaction_id text NOT NULL,
    product_id text NOT NULL,
    product_type text NOT NULL,
    reason text,
    received_at timestamptz NOT NULL,
    -- As Apple signed them, decoded: fields that nobody knew yet stay readable here.
    transaction json NOT NULL,
    renewal json,
    customer text,
    consent jsonb,
    period_start timestamptz,
    period_end timestamptz,
    billing_plan text,
    billing_period_number integer,
    period_position text CHECK (period_position IN ('current', 'past')),
    cost numeric,
    currency text,
    facts jsonb,
    rule text,
    refund_preference text CHECK (refund_preference IN ('DECLINE', 'GRANT_FULL', 'GRANT_PRORATED')),
    -- The bytes that go to Apple, the same at each attempt.
    body text,
    paragraph text,
    decided_at timestamptz,
    CHECK (body IS NULL OR decided_at IS NOT NULL)
);

CREATE INDEX request_evidence_uuid ON consumptiond.request_evidence (notification_uuid);

-- One PUT at a time for a transaction is this primary key's doing. The token is random and compared
-- for equality: a counter repeats itself after an asynchronous failover, and a dead worker's write
-- would be accepted.
CREATE TABLE consumptiond.lease (
    environment text NOT NULL,
    transaction_id text NOT NULL,
    request_id bigint NOT NULL UNIQUE REFERENCES consumptiond.request_state (id),
    token uuid NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (environment, transaction_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

CREATE INDEX lease_until ON consumptiond.lease (until);

-- Every request on the wire: the row is committed before it goes out.
CREATE TABLE consumptiond.attempt (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_id bigint NOT NULL REFERENCES consumptiond.request_state (id),
    number integer NOT NULL CHECK (number > 0),
    endpoint text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    result text CHECK (result IN ('accepted', 'refused', 'retry', 'unauthorized', 'limited',
        'unknown')),
    http_status integer,
    apple_code bigint,
    apple_message text,
    -- What the network or the program said where there was no answer.
    error text,
    -- True when an earlier attempt of the request may have reached Apple without our knowing.
    repeat boolean NOT NULL DEFAULT false,
    UNIQUE (request_id, number),
    CHECK ((result IS NULL) = (ended_at IS NULL))
);
