-- What the rest of the way needs: requests that run alone, pauses, overrides, the database's name.

-- True when the request used up the time of a batch: it takes its turn alone.
ALTER TABLE consumptiond.request_state ADD COLUMN alone boolean NOT NULL DEFAULT false;

-- Nothing is sent while a row applies: for one app, or for all when bundle_id is null.
CREATE TABLE consumptiond.pause (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bundle_id text,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    by_whom text NOT NULL,
    note text
);

CREATE UNIQUE INDEX pause_app ON consumptiond.pause (coalesce(bundle_id, ''));

-- What a person said about a transaction, instead of the rules.
CREATE TABLE consumptiond.override (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id text NOT NULL,
    preference text NOT NULL CHECK (preference IN ('DECLINE', 'GRANT_FULL', 'GRANT_PRORATED',
        'NONE', 'NO_ANSWER')),
    by_whom text NOT NULL,
    note text,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX override_transaction ON consumptiond.override (transaction_id, at);

-- Which installation this database belongs to: a copy of it must not answer Apple a second time.
CREATE TABLE consumptiond.instance (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    name text NOT NULL,
    adopted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
