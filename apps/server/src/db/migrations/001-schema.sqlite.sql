-- The schema of version 1.0.0. It is edited in place until 1.0.0 is released, and never after that:
-- changes are then migrations. A database that another state of this file has made is refused
-- (db/migrations.ts).
--
-- Times are epoch milliseconds, amounts are cents, flags are 0 or 1.

-- Items ------------------------------------------------------------------------------------------

CREATE TABLE items (
  position    INTEGER PRIMARY KEY,
  id          TEXT    NOT NULL UNIQUE,
  name        TEXT    NOT NULL,
  description TEXT    NOT NULL,
  price       INTEGER NOT NULL CHECK (price BETWEEN 0 AND 100000000),
  image_url   TEXT    NOT NULL,
  -- JSON: the addresses of the further pictures.
  images      TEXT    NOT NULL DEFAULT '[]',
  hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  -- NULL for an item that is not counted.
  stock       INTEGER CHECK (stock >= 0),
  -- 1 if the merchant knows that few pieces are left.
  low_told    INTEGER NOT NULL DEFAULT 0 CHECK (low_told IN (0, 1))
) STRICT;
-- Every item that is low or sold out is in it: `low_told` is 1 while few pieces are left.
CREATE INDEX items_told ON items (id) WHERE low_told = 1;

-- The pictures that the merchant has uploaded, and each of them in the sizes and formats that the
-- shop serves.
CREATE TABLE pictures (
  id      TEXT    NOT NULL PRIMARY KEY,
  width   INTEGER NOT NULL CHECK (width > 0),
  height  INTEGER NOT NULL CHECK (height > 0),
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE picture_files (
  picture_id TEXT    NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
  width      INTEGER NOT NULL CHECK (width > 0),
  format     TEXT    NOT NULL,
  content    BLOB    NOT NULL,
  PRIMARY KEY (picture_id, width, format)
) STRICT;

-- Orders -----------------------------------------------------------------------------------------

-- The statuses are in no CHECK, so that a new one needs no migration: they are checked where a row
-- is read (orders/order.ts).
CREATE TABLE orders (
  -- Orders are numbered as they are placed.
  position         INTEGER PRIMARY KEY,
  id               TEXT    NOT NULL UNIQUE CHECK (length(id) = 36),
  status           TEXT    NOT NULL,
  version          INTEGER NOT NULL CHECK (version >= 1),
  attempt_over     INTEGER NOT NULL DEFAULT 0 CHECK (attempt_over IN (0, 1)),
  customer_name    TEXT    NOT NULL,
  customer_email   TEXT    NOT NULL,
  shipping_address TEXT    NOT NULL,
  billing_address  TEXT    NOT NULL,
  total            INTEGER NOT NULL CHECK (total >= 0),
  carrier          TEXT,
  tracking_number  TEXT,
  tracking_url     TEXT,
  -- The merchant's message to the shopper about a cancellation.
  merchant_message TEXT,
  -- A hash of the network that the order was placed from, by which emails about unpaid orders are
  -- limited.
  client_hash      TEXT,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL DEFAULT 0,
  paid_at          INTEGER,
  erased_at        INTEGER,
  -- The words by which the order is found, with a blank before each (orders/search-words.ts).
  words            TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX orders_by_time ON orders (created_at, id);
-- It has all that the figures count.
CREATE INDEX orders_by_status ON orders (status, created_at, id, total, paid_at);
CREATE INDEX orders_by_change ON orders (updated_at);
CREATE INDEX orders_by_total ON orders (total);
-- The orders whose personal data can be erased after a time. An order enters it with its last
-- status.
CREATE INDEX orders_to_erase ON orders (status, created_at, id)
  WHERE erased_at IS NULL AND status IN ('Delivered', 'Cancelled');

-- The full-text index over `orders.words`. The words are folded already, so the tokenizer only
-- splits them at the blanks. `secure-delete` removes the words of an erased order at once.
CREATE VIRTUAL TABLE order_search USING fts5 (
  words, content = 'orders', content_rowid = 'position',
  tokenize = 'ascii', detail = none, columnsize = 0
);
INSERT INTO order_search (order_search, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER order_search_placed AFTER INSERT ON orders BEGIN
  INSERT INTO order_search (rowid, words) VALUES (new.position, new.words);
END;
CREATE TRIGGER order_search_changed AFTER UPDATE OF words ON orders BEGIN
  INSERT INTO order_search (order_search, rowid, words)
    VALUES ('delete', old.position, old.words);
  INSERT INTO order_search (rowid, words) VALUES (new.position, new.words);
END;

CREATE TABLE order_lines (
  order_id TEXT    NOT NULL REFERENCES orders (id),
  position INTEGER NOT NULL,
  item_id  TEXT    NOT NULL,
  name     TEXT    NOT NULL,
  price    INTEGER NOT NULL CHECK (price >= 0),
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  -- The pieces that the line took from the stock, and that a cancellation gives back.
  taken    INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

-- Every change of an order is an event. `by_name`: the token or member of staff. `data`: JSON that
-- depends on `kind`.
CREATE TABLE order_events (
  order_id    TEXT    NOT NULL REFERENCES orders (id),
  version     INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  from_status TEXT,
  to_status   TEXT    NOT NULL,
  by          TEXT    NOT NULL,
  by_name     TEXT,
  reason      TEXT,
  data        TEXT,
  at          INTEGER NOT NULL,
  PRIMARY KEY (order_id, version)
) STRICT, WITHOUT ROWID;

-- `order_id`: the order that was placed under the key; NULL for other requests.
CREATE TABLE idempotency_keys (
  key        TEXT    NOT NULL PRIMARY KEY,
  body_hash  TEXT    NOT NULL,
  order_id   TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- Loans and money --------------------------------------------------------------------------------

-- A loan that belongs to an order, or that was ever paid out. It pays one order, ever: the primary key
-- is the promise.
CREATE TABLE loans (
  id                    TEXT NOT NULL PRIMARY KEY,
  -- The order that has its money; NULL for money without an order.
  order_id              TEXT REFERENCES orders (id),
  -- The order that it named last. The shop may not have it.
  named_order_id        TEXT,
  provider_status       TEXT NOT NULL,
  state                 TEXT NOT NULL CHECK (state IN ('active', 'paid-out', 'ended', 'unknown')),
  -- 1 if it was ever active: then it extends no other loan.
  was_active            INTEGER NOT NULL DEFAULT 0 CHECK (was_active IN (0, 1)),
  -- 1 if another loan extends this one.
  was_extended          INTEGER NOT NULL DEFAULT 0 CHECK (was_extended IN (0, 1)),
  -- The principal in hundredths of the currency; NULL if it is not known.
  cents                 INTEGER,
  currency              TEXT NOT NULL,
  -- The amount as the provider writes it, if the cents say less than that.
  amount_text           TEXT,
  -- Why it does not pay its order by itself; NULL if it does.
  refusal               TEXT CHECK (refusal IN ('underpaid', 'wrong-currency', 'unknown-order')),
  -- Since when it counts as an extension although no loan is marked as extended.
  presumed_extension_at INTEGER,
  -- When it was first seen as paid out.
  paid_out_at           INTEGER,
  bound_at              INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX loans_by_order ON loans (order_id);
CREATE INDEX loans_by_state ON loans (state, bound_at);
CREATE INDEX loans_presumed ON loans (presumed_extension_at)
  WHERE presumed_extension_at IS NOT NULL;

CREATE TABLE payment_checks (
  loan_id      TEXT    NOT NULL,
  order_id     TEXT    NOT NULL REFERENCES orders (id),
  outcome      TEXT    NOT NULL,
  failures     INTEGER NOT NULL DEFAULT 0,
  -- 1 if the loan was presented with the order's key.
  with_key     INTEGER NOT NULL DEFAULT 0 CHECK (with_key IN (0, 1)),
  not_before   INTEGER NOT NULL,
  next_at      INTEGER NOT NULL,
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (order_id, loan_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_checks_due ON payment_checks (next_at);

-- The provider's report of a loan when the sweep settled it last; a sweep settles it again only
-- after a change.
CREATE TABLE settled_loans (
  loan_id TEXT NOT NULL PRIMARY KEY,
  report  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A payment issue is a task without money of its own. It is open while resolved_at is NULL. The id is
-- a hash of loan, order and kind, so there is one of each. `order_id`: NULL for money without an order.
CREATE TABLE payment_issues (
  id              TEXT NOT NULL PRIMARY KEY,
  loan_id         TEXT NOT NULL,
  order_id        TEXT REFERENCES orders (id),
  kind            TEXT NOT NULL,
  detail          TEXT NOT NULL,
  opened_at       INTEGER NOT NULL,
  resolution      TEXT,
  resolution_note TEXT,
  resolved_by     TEXT,
  resolved_at     INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_issues_by_time ON payment_issues (opened_at, id);
CREATE INDEX payment_issues_by_order ON payment_issues (order_id, opened_at);
CREATE INDEX payment_issues_by_loan ON payment_issues (loan_id);
CREATE INDEX payment_issues_open ON payment_issues (opened_at, id) WHERE resolved_at IS NULL;

-- Each payout as it was first seen. A receipt is never changed: what the provider changes is an entry
-- of the journal. `order_id`: the order that the loan named then; the shop may not have it.
CREATE TABLE receipts (
  loan_id         TEXT NOT NULL PRIMARY KEY,
  order_id        TEXT,
  -- NULL if the amount is no number.
  amount          INTEGER,
  currency        TEXT NOT NULL,
  provider_amount TEXT NOT NULL,
  paid_at         INTEGER NOT NULL,
  seen_at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The journal of all money. Entries are only ever added. An account is all entries of an order, or all
-- entries of a loan that have no order. Amounts are in hundredths of `currency`.
CREATE TABLE journal (
  position  INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  order_id  TEXT REFERENCES orders (id),
  loan_id   TEXT,
  kind      TEXT NOT NULL CHECK (kind IN ('received', 'reversed', 'corrected', 'extension',
    'transferred', 'refunded', 'refund-reversed', 'kept', 'waived', 'written-off')),
  amount    INTEGER NOT NULL,
  -- How many unknown amounts it adds to its account.
  unknown   INTEGER NOT NULL CHECK (unknown BETWEEN -1 AND 1),
  currency  TEXT NOT NULL,
  at        INTEGER NOT NULL,
  by_name   TEXT NOT NULL,
  reason    TEXT,
  issue_id  TEXT,
  refund_id TEXT,
  method    TEXT,
  reference TEXT
) STRICT;
CREATE INDEX journal_by_order ON journal (order_id, position);
CREATE INDEX journal_by_loan ON journal (loan_id, position);
-- It has all that the figures sum up.
CREATE INDEX journal_by_time ON journal (at, kind, currency, amount, order_id);
CREATE UNIQUE INDEX journal_refunds ON journal (refund_id) WHERE kind = 'refunded';

CREATE TRIGGER receipts_are_not_changed BEFORE UPDATE ON receipts BEGIN
  SELECT RAISE(ABORT, 'receipts is never changed');
END;
CREATE TRIGGER receipts_stay BEFORE DELETE ON receipts BEGIN
  SELECT RAISE(ABORT, 'receipts is never changed');
END;
CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN
  SELECT RAISE(ABORT, 'journal is never changed');
END;
-- What people have written can be erased: by_name, reason, method and reference.
CREATE TRIGGER journal_is_not_changed
  BEFORE UPDATE OF position, id, order_id, loan_id, kind, amount, unknown, currency, at, issue_id, refund_id ON journal BEGIN
  SELECT RAISE(ABORT, 'journal is never changed');
END;

-- The call budget for the loan provider, shared by all processes.
CREATE TABLE call_budget (
  name         TEXT NOT NULL PRIMARY KEY,
  calls        REAL NOT NULL,
  share        REAL NOT NULL,
  filled_at    REAL NOT NULL,
  paused_until REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Deliveries -------------------------------------------------------------------------------------

-- One row is one delivery to one target, such as an address or a webhook. It is stored in the
-- transaction of the change that it announces. Deliveries of one subject to one target are made in
-- the order of `position`.
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
CREATE INDEX outbox_ended ON outbox (state, ended_at) WHERE state <> 'waiting';

-- Letters about unpaid orders of the last hour. They are limited by address and by network, because
-- anybody can place an order with any address.
CREATE TABLE unpaid_letters (
  delivery_id  TEXT    NOT NULL PRIMARY KEY,
  address_hash TEXT    NOT NULL,
  client_hash  TEXT,
  at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unpaid_letters_by_address ON unpaid_letters (address_hash, at);
CREATE INDEX unpaid_letters_by_client ON unpaid_letters (client_hash, at)
  WHERE client_hash IS NOT NULL;
CREATE INDEX unpaid_letters_by_time ON unpaid_letters (at);

-- `events`: JSON, the types of events that are sent to it; NULL for all. `old_secret` signs too
-- until `old_secret_until`, so that a secret can be changed without a gap.
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

-- Staff ------------------------------------------------------------------------------------------

-- `name_key` is the name without regard to case.
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

-- A link signs in once. Only the SHA-256 of its secret is stored.
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

-- A passkey signs a challenge once. `staff_id`: the owner of a new passkey; NULL for a sign-in.
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

-- The shop and its processes ---------------------------------------------------------------------

-- The shop settings that the merchant has changed; `value` is JSON. The others have their defaults.
CREATE TABLE shop_settings (
  name       TEXT    NOT NULL PRIMARY KEY,
  value      TEXT    NOT NULL,
  changed_by TEXT    NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The assets of all recent builds of the web app, by their hashed names.
CREATE TABLE web_assets (
  name    TEXT    NOT NULL PRIMARY KEY,
  content BLOB    NOT NULL,
  gzipped INTEGER NOT NULL CHECK (gzipped IN (0, 1)),
  used_at INTEGER NOT NULL
) STRICT;

CREATE TABLE leases (
  name  TEXT    NOT NULL PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
