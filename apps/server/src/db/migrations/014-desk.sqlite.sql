-- Who may sign in at the desk. `name_key` is the name without regard to case.
CREATE TABLE staff (
  id           TEXT    NOT NULL PRIMARY KEY,
  name         TEXT    NOT NULL,
  name_key     TEXT    NOT NULL UNIQUE,
  email        TEXT,
  role         TEXT    NOT NULL CHECK (role IN ('owner', 'staff')),
  created_by   TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  signed_in_at INTEGER
) STRICT, WITHOUT ROWID;
-- A link that signs in once. Only the SHA-256 of its secret is stored.
CREATE TABLE sign_in_links (
  hash       TEXT    NOT NULL PRIMARY KEY,
  staff_id   TEXT    NOT NULL REFERENCES staff (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_links_of_staff ON sign_in_links (staff_id);
-- `credential_id` and `public_key` (COSE) are base64url.
CREATE TABLE passkeys (
  id            TEXT    NOT NULL PRIMARY KEY,
  staff_id      TEXT    NOT NULL REFERENCES staff (id),
  credential_id TEXT    NOT NULL UNIQUE,
  public_key    TEXT    NOT NULL,
  counter       INTEGER NOT NULL,
  name          TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  used_at       INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_staff ON passkeys (staff_id);
-- What a passkey must sign, once. `staff_id`: whose new passkey it is for; NULL for a sign-in.
CREATE TABLE passkey_challenges (
  id         TEXT    NOT NULL PRIMARY KEY,
  challenge  TEXT    NOT NULL,
  staff_id   TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_of_staff ON passkey_challenges (staff_id);
-- Only the SHA-256 of a session's secret is stored.
CREATE TABLE desk_sessions (
  id         TEXT    NOT NULL PRIMARY KEY,
  hash       TEXT    NOT NULL UNIQUE,
  staff_id   TEXT    NOT NULL REFERENCES staff (id),
  browser    TEXT,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX desk_sessions_of_staff ON desk_sessions (staff_id);
