-- Schema 1. Everything a person said is in the columns named sealed; the rest are numbers, ids and
-- keyed hashes. Text compares byte by byte (BINARY, SQLite's default), so that ids keep their case.

CREATE TABLE users (
    user_key INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,
    epoch    INTEGER NOT NULL DEFAULT 0,
    items    INTEGER NOT NULL DEFAULT 0,
    bytes    INTEGER NOT NULL DEFAULT 0,
    consent  BLOB
) STRICT;

-- sealed is NULL for a scope that has items and was never described.
CREATE TABLE scopes (
    scope_key  INTEGER PRIMARY KEY,
    user_key   INTEGER NOT NULL REFERENCES users (user_key),
    key        BLOB    NOT NULL,
    version    INTEGER NOT NULL DEFAULT 0,
    removed_at INTEGER NOT NULL DEFAULT 0,
    sealed     BLOB,
    UNIQUE (user_key, key)
) STRICT;

-- lineage is NULL where it is the item's own id, which is so for most and saves them an index entry.
CREATE TABLE items (
    item_key     INTEGER PRIMARY KEY,
    user_key     INTEGER NOT NULL REFERENCES users (user_key),
    scope_key    INTEGER NOT NULL REFERENCES scopes (scope_key),
    id           BLOB    NOT NULL,
    kind         INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    rev          INTEGER NOT NULL,
    stored       INTEGER NOT NULL,
    created      INTEGER,
    accessed     INTEGER,
    access_count INTEGER NOT NULL,
    pinned       INTEGER NOT NULL,
    importance   REAL    NOT NULL,
    support      INTEGER NOT NULL,
    lineage      BLOB,
    tag          BLOB,
    model        TEXT,
    sealed       BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX items_by_id ON items (user_key, id);
-- With the id in it, the items of a scope are listed in their order without touching the rows.
CREATE INDEX items_by_scope ON items (scope_key, rev, id);
CREATE UNIQUE INDEX items_by_tag ON items (scope_key, tag) WHERE tag IS NOT NULL;
CREATE INDEX items_by_lineage ON items (user_key, lineage) WHERE lineage IS NOT NULL;

-- Apart from items, so that noting an access or reading texts never touches a vector.
CREATE TABLE vectors (
    item_key INTEGER PRIMARY KEY REFERENCES items (item_key) ON DELETE CASCADE,
    sealed   BLOB NOT NULL
) STRICT;

CREATE TABLE tombstones (
    user_key INTEGER NOT NULL REFERENCES users (user_key),
    tag      BLOB    NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (user_key, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Raised by a flush: an empty commit would not reach the disk.
INSERT INTO meta (name, value) VALUES ('flushes', 0);
