-- The named tokens of the merchant API. Only the SHA-256 of a token is stored.
CREATE TABLE tokens (
  id         text   COLLATE "C" PRIMARY KEY,
  name       text   NOT NULL UNIQUE,
  role       text   NOT NULL CHECK (role IN ('owner', 'staff')),
  hash       text   NOT NULL UNIQUE,
  created_by text   NOT NULL,
  created_at bigint NOT NULL,
  used_at    bigint
);
