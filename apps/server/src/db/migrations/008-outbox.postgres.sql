-- One row is one delivery: what must be told to one target, such as an address or a webhook endpoint. It is stored in the
-- transaction of the change that it tells of. Deliveries of one subject to one target are made in the order of `position`.
CREATE TABLE outbox (
  position     bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id           text    COLLATE "C" NOT NULL UNIQUE,
  channel      text    NOT NULL,
  target       text    COLLATE "C" NOT NULL,
  type         text    NOT NULL,
  subject      text    COLLATE "C" NOT NULL,
  data         text    NOT NULL,
  state        text    NOT NULL CHECK (state IN ('waiting', 'delivered', 'skipped', 'given-up')),
  attempts     integer NOT NULL DEFAULT 0,
  repeats      integer NOT NULL DEFAULT 0,
  next_at      bigint  NOT NULL,
  leased_until bigint  NOT NULL DEFAULT 0,
  created_at   bigint  NOT NULL,
  ended_at     bigint,
  answer       text
);
CREATE INDEX outbox_due ON outbox (channel, target, next_at, position) WHERE state = 'waiting';
CREATE INDEX outbox_queue ON outbox (channel, target, subject, position) WHERE state = 'waiting';
CREATE INDEX outbox_by_subject ON outbox (subject, position);
CREATE INDEX outbox_by_target ON outbox (channel, target, position);
CREATE INDEX outbox_ended ON outbox (state, ended_at) WHERE state <> 'waiting';

-- Letters about unpaid orders of the last hour, counted by address because anybody can place an order with any address.
CREATE TABLE unpaid_letters (
  delivery_id  text   COLLATE "C" PRIMARY KEY,
  address_hash text   COLLATE "C" NOT NULL,
  at           bigint NOT NULL
);
CREATE INDEX unpaid_letters_by_address ON unpaid_letters (address_hash, at);
CREATE INDEX unpaid_letters_by_time ON unpaid_letters (at);
