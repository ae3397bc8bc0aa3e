-- The endpoints of the merchant's other systems. events: JSON, the types that it is told, or NULL for all of them.
-- old_secret signs too until old_secret_until, so that a secret can be changed without a gap.
CREATE TABLE webhooks (
  id               TEXT    NOT NULL PRIMARY KEY,
  url              TEXT    NOT NULL,
  events           TEXT,
  secret           TEXT    NOT NULL,
  old_secret       TEXT,
  old_secret_until INTEGER,
  is_on            INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
  off_reason       TEXT,
  failing_since    INTEGER,
  created_by       TEXT    NOT NULL,
  created_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
