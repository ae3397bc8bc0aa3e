-- The named tokens of the merchant API. Only the SHA-256 of a token is stored.
CREATE TABLE tokens (
  id         TEXT    NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE,
  role       TEXT    NOT NULL CHECK (role IN ('owner', 'staff')),
  hash       TEXT    NOT NULL UNIQUE,
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
