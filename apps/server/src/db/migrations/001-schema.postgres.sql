-- The schema of version 1.0.0. It is edited in place until 1.0.0 is released, and never after that:
-- changes are then migrations. A database that another state of this file has made is refused
-- (db/migrations.ts).
--
-- Times are epoch milliseconds, amounts are cents, flags are 0 or 1.
--
-- Ids have COLLATE "C": they are compared byte by byte, whatever the order of letters of the
-- database is.

-- Items ------------------------------------------------------------------------------------------

CREATE TABLE items (
  -- An import that changes the order gives known items new positions, so that their rows stay
  -- locked by the orders that take pieces.
  position    bigint  PRIMARY KEY,
  id          text    COLLATE "C" NOT NULL UNIQUE,
  name        text    NOT NULL,
  description text    NOT NULL,
  price       integer NOT NULL CHECK (price BETWEEN 0 AND 100000000),
  image_url   text    NOT NULL,
  -- JSON: the addresses of the further pictures.
  images      text    NOT NULL DEFAULT '[]',
  hidden      integer NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  -- NULL for an item that is not counted.
  stock       integer CHECK (stock >= 0),
  -- 1 if the merchant knows that few pieces are left.
  low_told    integer NOT NULL DEFAULT 0 CHECK (low_told IN (0, 1))
);
-- Every item that is low or sold out is in it: `low_told` is 1 while few pieces are left.
CREATE INDEX items_told ON items (id) WHERE low_told = 1;

-- The pictures that the merchant has uploaded, and each of them in the sizes and formats that the
-- shop serves.
CREATE TABLE pictures (
  id      text    COLLATE "C" PRIMARY KEY,
  width   integer NOT NULL CHECK (width > 0),
  height  integer NOT NULL CHECK (height > 0),
  used_at bigint  NOT NULL
);

CREATE TABLE picture_files (
  picture_id text    COLLATE "C" NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
  width      integer NOT NULL CHECK (width > 0),
  format     text    COLLATE "C" NOT NULL,
  content    bytea   NOT NULL,
  PRIMARY KEY (picture_id, width, format)
);
-- The content is compressed already.
ALTER TABLE picture_files ALTER COLUMN content SET STORAGE EXTERNAL;

-- Orders -----------------------------------------------------------------------------------------

-- The statuses are in no CHECK, so that a new one needs no migration: they are checked where a row
-- is read (orders/order.ts).
CREATE TABLE orders (
  id               text    COLLATE "C" PRIMARY KEY CHECK (length(id) = 36),
  status           text    NOT NULL,
  version          integer NOT NULL CHECK (version >= 1),
  attempt_over     integer NOT NULL DEFAULT 0 CHECK (attempt_over IN (0, 1)),
  customer_name    text    NOT NULL,
  customer_email   text    NOT NULL,
  shipping_address text    NOT NULL,
  billing_address  text    NOT NULL,
  total            bigint  NOT NULL CHECK (total >= 0),
  carrier          text,
  tracking_number  text,
  tracking_url     text,
  -- The merchant's message to the shopper about a cancellation.
  merchant_message text,
  -- A hash of the network that the order was placed from, by which emails about unpaid orders are
  -- limited.
  client_hash      text,
  created_at       bigint  NOT NULL,
  erased_at        bigint
);
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX orders_by_status ON orders (status, created_at, id);
-- The orders whose personal data can be erased after a time. An order enters it with its last
-- status.
CREATE INDEX orders_to_erase ON orders (status, created_at, id)
  WHERE erased_at IS NULL AND status IN ('Delivered', 'Cancelled');

CREATE TABLE order_lines (
  order_id text    COLLATE "C" NOT NULL REFERENCES orders (id),
  position integer NOT NULL,
  item_id  text    NOT NULL,
  name     text    NOT NULL,
  price    integer NOT NULL CHECK (price >= 0),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- The pieces that the line took from the stock, and that a cancellation gives back.
  taken    integer NOT NULL DEFAULT 0 CHECK (taken >= 0),
  PRIMARY KEY (order_id, position)
);

-- Every change of an order is an event. `by_name`: the token or member of staff. `data`: JSON that
-- depends on `kind`.
CREATE TABLE order_events (
  order_id    text    COLLATE "C" NOT NULL REFERENCES orders (id),
  version     integer NOT NULL,
  kind        text    NOT NULL,
  from_status text,
  to_status   text    NOT NULL,
  by          text    NOT NULL,
  by_name     text,
  reason      text,
  data        text,
  at          bigint  NOT NULL,
  PRIMARY KEY (order_id, version)
);

-- `order_id`: the order that was placed under the key; NULL for other requests.
CREATE TABLE idempotency_keys (
  key        text   COLLATE "C" PRIMARY KEY,
  body_hash  text   NOT NULL,
  order_id   text   COLLATE "C",
  created_at bigint NOT NULL
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- Loans and money --------------------------------------------------------------------------------

-- A contract pays one order, ever: the primary key is the promise.
CREATE TABLE contracts (
  id           text    COLLATE "C" PRIMARY KEY,
  order_id     text    COLLATE "C" NOT NULL REFERENCES orders (id),
  status       text    NOT NULL,
  meaning      text    NOT NULL CHECK (meaning IN ('processing', 'paid', 'over', 'unknown')),
  -- The amount that the contract lends.
  cents        bigint,
  -- The contract that this one continues; an extension brings no money.
  extends      text,
  -- 1 if another contract extends this one.
  was_extended integer NOT NULL DEFAULT 0 CHECK (was_extended IN (0, 1)),
  bound_at     bigint  NOT NULL,
  updated_at   bigint  NOT NULL
);
CREATE INDEX contracts_by_order ON contracts (order_id);

CREATE TABLE payment_checks (
  contract_id  text    COLLATE "C" NOT NULL,
  order_id     text    COLLATE "C" NOT NULL REFERENCES orders (id),
  outcome      text    NOT NULL,
  failures     integer NOT NULL DEFAULT 0,
  -- 1 if the contract was presented with the order's key.
  with_key     integer NOT NULL DEFAULT 0 CHECK (with_key IN (0, 1)),
  not_before   bigint  NOT NULL,
  next_at      bigint  NOT NULL,
  leased_until bigint  NOT NULL DEFAULT 0,
  created_at   bigint  NOT NULL,
  PRIMARY KEY (order_id, contract_id)
);
CREATE INDEX payment_checks_due ON payment_checks (next_at);

-- The provider's report of a contract when the sweep settled it last; a sweep settles it again only
-- after a change.
CREATE TABLE settled_contracts (
  contract_id text COLLATE "C" NOT NULL PRIMARY KEY,
  told        text NOT NULL
);

-- A mismatch is open while resolved_at is NULL.
CREATE TABLE mismatches (
  contract_id     text   COLLATE "C" NOT NULL,
  order_id        text   COLLATE "C" NOT NULL,
  kind            text   COLLATE "C" NOT NULL,
  detail          text   NOT NULL,
  -- The money that came in by this mismatch and pays no order; NULL if no money came in, or it is
  -- not known.
  cents           bigint,
  seen_at         bigint NOT NULL,
  resolution      text,
  resolution_note text,
  resolved_by     text,
  resolved_at     bigint,
  PRIMARY KEY (contract_id, order_id, kind)
);
CREATE INDEX mismatches_by_time ON mismatches (seen_at);
CREATE INDEX mismatches_by_order ON mismatches (order_id, seen_at);
CREATE INDEX mismatches_open ON mismatches (seen_at, contract_id, order_id, kind)
  WHERE resolved_at IS NULL;

CREATE TABLE refunds (
  id        text   COLLATE "C" PRIMARY KEY,
  order_id  text   COLLATE "C" NOT NULL REFERENCES orders (id),
  cents     bigint NOT NULL CHECK (cents > 0),
  method    text   NOT NULL,
  reference text,
  by_name   text   NOT NULL,
  at        bigint NOT NULL
);
CREATE INDEX refunds_by_order ON refunds (order_id, at);

-- The call budget for the loan provider, shared by all processes.
CREATE TABLE call_budget (
  name         text             NOT NULL PRIMARY KEY,
  calls        double precision NOT NULL,
  share        double precision NOT NULL,
  filled_at    double precision NOT NULL,
  paused_until double precision NOT NULL
);

-- Deliveries -------------------------------------------------------------------------------------

-- One row is one delivery to one target, such as an address or a webhook. It is stored in the
-- transaction of the change that it announces. Deliveries of one subject to one target are made in
-- the order of `position`.
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

-- Letters about unpaid orders of the last hour. They are limited by address and by network, because
-- anybody can place an order with any address.
CREATE TABLE unpaid_letters (
  delivery_id  text   COLLATE "C" PRIMARY KEY,
  address_hash text   COLLATE "C" NOT NULL,
  client_hash  text,
  at           bigint NOT NULL
);
CREATE INDEX unpaid_letters_by_address ON unpaid_letters (address_hash, at);
CREATE INDEX unpaid_letters_by_client ON unpaid_letters (client_hash, at)
  WHERE client_hash IS NOT NULL;
CREATE INDEX unpaid_letters_by_time ON unpaid_letters (at);

-- `events`: JSON, the types of events that are sent to it; NULL for all. `old_secret` signs too
-- until `old_secret_until`, so that a secret can be changed without a gap.
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

-- Staff ------------------------------------------------------------------------------------------

-- `name_key` is the name without regard to case.
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

-- A link signs in once. Only the SHA-256 of its secret is stored.
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

-- A passkey signs a challenge once. `staff_id`: the owner of a new passkey; NULL for a sign-in.
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

-- The shop and its processes ---------------------------------------------------------------------

-- The shop settings that the merchant has changed; `value` is JSON. The others have their defaults.
CREATE TABLE shop_settings (
  name       text   COLLATE "C" PRIMARY KEY,
  value      text   NOT NULL,
  changed_by text   NOT NULL,
  changed_at bigint NOT NULL
);

-- The assets of all recent builds of the web app, by their hashed names. The table is unlogged:
-- after a crash of PostgreSQL the servers store their assets again.
CREATE UNLOGGED TABLE web_assets (
  name    text     COLLATE "C" PRIMARY KEY,
  content bytea    NOT NULL,
  gzipped smallint NOT NULL CHECK (gzipped IN (0, 1)),
  used_at bigint   NOT NULL
);

CREATE TABLE leases (
  name  text   PRIMARY KEY,
  until bigint NOT NULL
);

CREATE TABLE facts (
  name  text PRIMARY KEY,
  value text NOT NULL
);

-- The counters of the rate limits of all processes; they need not survive a crash.
CREATE UNLOGGED TABLE rate_windows (
  key     text    COLLATE "C" PRIMARY KEY,
  count   integer NOT NULL,
  ends_at bigint  NOT NULL
);

-- Search and figures -----------------------------------------------------------------------------

-- The orders that were placed or changed and are not in the index yet; a worker takes them out.
CREATE TABLE order_changes (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text   COLLATE "C" NOT NULL
);
CREATE FUNCTION note_order_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes (order_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER order_placed AFTER INSERT ON orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_order_changes();
CREATE TRIGGER order_changed AFTER UPDATE ON orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_order_changes();

-- One row is one order, numbered in the order of indexing. changed_at: when its last change was
-- indexed; it never decreases from one commit to the next. words: the words by which the order is
-- found, with a blank before each. counted: JSON, its part of the figures; NULL before it is
-- counted. counted_at: the value of changed_at when it was counted.
CREATE TABLE order_index (
  position   bigint PRIMARY KEY,
  order_id   text   COLLATE "C" NOT NULL UNIQUE,
  changed_at bigint NOT NULL,
  words      text   NOT NULL,
  counted    text,
  counted_at bigint NOT NULL DEFAULT -1
);
CREATE INDEX order_index_by_change ON order_index (changed_at, position);
CREATE INDEX order_index_uncounted ON order_index (position) WHERE counted_at <> changed_at;

-- The words of the orders, by blocks of 1,024 consecutive positions: a search reads the newest
-- blocks first.
CREATE TABLE order_words (
  block    integer NOT NULL,
  word     text    COLLATE "C" NOT NULL,
  position bigint  NOT NULL,
  PRIMARY KEY (block, word, position)
);

-- Figures of all orders and their loans, kept by the worker that keeps the index. Example: figure
-- 'status', label 'Pending', orders 12. cents is 0 where a figure counts no money.
CREATE TABLE order_figures (
  figure text   COLLATE "C" NOT NULL,
  label  text   COLLATE "C" NOT NULL,
  orders bigint NOT NULL,
  cents  bigint NOT NULL,
  PRIMARY KEY (figure, label)
);

-- The orders of which a loan was bound or changed its standing, and that are not counted again yet.
CREATE TABLE loan_changes (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text   COLLATE "C" NOT NULL
);
CREATE FUNCTION note_loan_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loan_changes (order_id) VALUES (NEW.order_id);
  RETURN NULL;
END $$;
CREATE TRIGGER loan_bound AFTER INSERT ON contracts
  FOR EACH ROW EXECUTE FUNCTION note_loan_change();
CREATE TRIGGER loan_changed AFTER UPDATE ON contracts
  FOR EACH ROW WHEN (OLD.meaning <> NEW.meaning) EXECUTE FUNCTION note_loan_change();
