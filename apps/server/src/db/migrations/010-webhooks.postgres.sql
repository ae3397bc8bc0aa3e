-- The endpoints of the merchant's other systems. events: JSON, the types that it is told, or NULL for all of them.
-- old_secret signs too until old_secret_until, so that a secret can be changed without a gap.
CREATE TABLE webhooks (
  id               text    COLLATE "C" PRIMARY KEY,
  url              text    NOT NULL,
  events           text,
  secret           text    NOT NULL,
  old_secret       text,
  old_secret_until bigint,
  is_on            integer NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
  off_reason       text,
  failing_since    bigint,
  created_by       text    NOT NULL,
  created_at       bigint  NOT NULL
);
