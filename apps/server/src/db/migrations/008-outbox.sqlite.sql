-- One row is one delivery: what must be told to one target, such as an address or a webhook endpoint. It is stored in the
-- transaction of the change that it tells of. Deliveries of one subject to one target are made in the order of `position`.
CREATE TABLE outbox (
  position     INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT    NOT NULL UNIQUE,
  channel      TEXT    NOT NULL,
  target       TEXT    NOT NULL,
  type         TEXT    NOT NULL,
  subject      TEXT    NOT NULL,
  data         TEXT    NOT NULL,
  state        TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'skipped', 'given-up')),
  attempts     INTEGER NOT NULL DEFAULT 0,
  repeats      INTEGER NOT NULL DEFAULT 0,
  next_at      INTEGER NOT NULL,
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  answer       TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (channel, target, next_at, position) WHERE state = 'waiting';
CREATE INDEX outbox_queue ON outbox (channel, target, subject, position) WHERE state = 'waiting';
CREATE INDEX outbox_by_subject ON outbox (subject, position);
CREATE INDEX outbox_by_target ON outbox (channel, target, position);
CREATE INDEX outbox_ended ON outbox (state, ended_at) WHERE state != 'waiting';

-- Letters about unpaid orders of the last hour, counted by address because anybody can place an order with any address.
CREATE TABLE unpaid_letters (
  delivery_id  TEXT    NOT NULL PRIMARY KEY,
  address_hash TEXT    NOT NULL,
  at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unpaid_letters_by_address ON unpaid_letters (address_hash, at);
CREATE INDEX unpaid_letters_by_time ON unpaid_letters (at);
