-- Who may sign in at the desk. `name_key` is the name without regard to case.
CREATE TABLE staff (
  id           text   COLLATE "C" PRIMARY KEY,
  name         text   NOT NULL,
  name_key     text   NOT NULL UNIQUE,
  email        text,
  role         text   NOT NULL CHECK (role IN ('owner', 'staff')),
  created_by   text   NOT NULL,
  created_at   bigint NOT NULL,
  signed_in_at bigint
);
-- A link that signs in once. Only the SHA-256 of its secret is stored.
CREATE TABLE sign_in_links (
  hash       text   COLLATE "C" PRIMARY KEY,
  staff_id   text   COLLATE "C" NOT NULL REFERENCES staff (id),
  expires_at bigint NOT NULL
);
CREATE INDEX sign_in_links_of_staff ON sign_in_links (staff_id);
-- `credential_id` and `public_key` (COSE) are base64url.
CREATE TABLE passkeys (
  id            text   COLLATE "C" PRIMARY KEY,
  staff_id      text   COLLATE "C" NOT NULL REFERENCES staff (id),
  credential_id text   NOT NULL UNIQUE,
  public_key    text   NOT NULL,
  counter       bigint NOT NULL,
  name          text   NOT NULL,
  created_at    bigint NOT NULL,
  used_at       bigint
);
CREATE INDEX passkeys_of_staff ON passkeys (staff_id);
-- What a passkey must sign, once. `staff_id`: whose new passkey it is for; NULL for a sign-in.
CREATE TABLE passkey_challenges (
  id         text   COLLATE "C" PRIMARY KEY,
  challenge  text   NOT NULL,
  staff_id   text   COLLATE "C",
  expires_at bigint NOT NULL
);
CREATE INDEX passkey_challenges_of_staff ON passkey_challenges (staff_id);
-- Only the SHA-256 of a session's secret is stored.
CREATE TABLE desk_sessions (
  id         text   COLLATE "C" PRIMARY KEY,
  hash       text   NOT NULL UNIQUE,
  staff_id   text   COLLATE "C" NOT NULL REFERENCES staff (id),
  browser    text,
  created_at bigint NOT NULL,
  used_at    bigint NOT NULL
);
CREATE INDEX desk_sessions_of_staff ON desk_sessions (staff_id);
