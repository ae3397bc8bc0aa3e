-- The schema of version 1.0.0. It is released: changes are new migrations (CONTRIBUTING.md).
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
  -- JSON: the URLs of the further pictures.
  images      TEXT    NOT NULL DEFAULT '[]',
  hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  -- NULL if the stock is not tracked.
  stock       INTEGER CHECK (stock >= 0),
  -- 1 if the merchant was notified of low stock.
  low_reported INTEGER NOT NULL DEFAULT 0 CHECK (low_reported IN (0, 1))
) STRICT;
-- Has all items with low stock: their `low_reported` is 1.
CREATE INDEX items_low_stock ON items (id) WHERE low_reported = 1;

-- The uploaded pictures, and their files in all served sizes and formats.
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

-- No CHECK lists the statuses, so that a new one needs no migration. They are validated when a row is
-- read (modules/orders/order.ts).
CREATE TABLE orders (
  -- Numbers the orders as they are placed.
  position         INTEGER PRIMARY KEY,
  id               TEXT    NOT NULL UNIQUE CHECK (length(id) = 36),
  status           TEXT    NOT NULL,
  version          INTEGER NOT NULL CHECK (version >= 1),
  attempt_failed   INTEGER NOT NULL DEFAULT 0 CHECK (attempt_failed IN (0, 1)),
  customer_name    TEXT    NOT NULL,
  customer_email   TEXT    NOT NULL,
  shipping_address TEXT    NOT NULL,
  billing_address  TEXT    NOT NULL,
  total            INTEGER NOT NULL CHECK (total >= 0),
  carrier          TEXT,
  tracking_number  TEXT,
  tracking_url     TEXT,
  -- The message to the customer about a cancellation.
  merchant_message TEXT,
  -- A hash of the customer's network, which limits emails about unpaid orders.
  client_hash      TEXT,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL DEFAULT 0,
  paid_at          INTEGER,
  erased_at        INTEGER,
  -- The search words, each after a space (modules/orders/lists/search-words.ts).
  words            TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX orders_by_time ON orders (created_at, id);
-- A covering index for the figures.
CREATE INDEX orders_by_status ON orders (status, created_at, id, total, paid_at);
CREATE INDEX orders_by_change ON orders (updated_at);
CREATE INDEX orders_by_total ON orders (total);
-- The orders whose personal data may be erased by age.
CREATE INDEX orders_to_erase ON orders (status, created_at, id)
  WHERE erased_at IS NULL AND status IN ('Delivered', 'Cancelled');

-- The full-text index of `orders.words`. The words are folded already, so the tokenizer only splits
-- them at spaces. `secure-delete` removes the words of an erased order at once.
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
  -- The pieces taken from the stock; a cancellation restocks them.
  taken    INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

-- The history of an order: one row for each change. `by_name`: the API token or member of staff.
-- `data`: JSON; its fields depend on `kind`.
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

-- The loans that belong to an order, or were ever paid out. The primary key guarantees that a loan
-- pays at most one order, ever.
CREATE TABLE loans (
  id                    TEXT NOT NULL PRIMARY KEY,
  -- The order that it pays; NULL for money without an order.
  order_id              TEXT REFERENCES orders (id),
  -- The order that it named last; it may not exist.
  named_order_id        TEXT,
  provider_status       TEXT NOT NULL,
  state                 TEXT NOT NULL CHECK (state IN ('active', 'paid-out', 'ended', 'unknown')),
  -- 1 if it was ever active: such a loan extends no other one.
  was_active            INTEGER NOT NULL DEFAULT 0 CHECK (was_active IN (0, 1)),
  -- 1 if another loan extends this one.
  was_extended          INTEGER NOT NULL DEFAULT 0 CHECK (was_extended IN (0, 1)),
  -- The principal in hundredths of the currency; NULL if unknown.
  cents                 INTEGER,
  currency              TEXT NOT NULL,
  -- The provider's amount, if the cents do not represent it exactly.
  amount_text           TEXT,
  -- The reason why it does not pay its order automatically; NULL if it does.
  refusal               TEXT CHECK (refusal IN ('underpaid', 'wrong-currency', 'unknown-order')),
  -- Since when it is presumed to be an extension, although no loan is marked as extended.
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

-- The provider's report of a loan when a sweep last settled it. A sweep settles it again only after a
-- change.
CREATE TABLE settled_loans (
  loan_id TEXT NOT NULL PRIMARY KEY,
  report  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The tasks about payments. An issue is open while `resolved_at` is NULL. Its id is a hash of loan,
-- order and kind, so there is one of each. `order_id`: NULL for money without an order.
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

-- Each payout as it was first seen. Rows never change: later changes by the provider are journal
-- entries. `order_id`: the order that the loan named then; it may not exist.
CREATE TABLE receipts (
  loan_id         TEXT NOT NULL PRIMARY KEY,
  order_id        TEXT,
  -- NULL if the amount is not a number.
  amount          INTEGER,
  currency        TEXT NOT NULL,
  provider_amount TEXT NOT NULL,
  paid_at         INTEGER NOT NULL,
  seen_at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The append-only journal of all money. An account is all entries of an order, or all entries of a
-- loan that have no order. Amounts are in hundredths of `currency`.
CREATE TABLE journal (
  position  INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  order_id  TEXT REFERENCES orders (id),
  loan_id   TEXT,
  kind      TEXT NOT NULL CHECK (kind IN ('received', 'reversed', 'corrected', 'extension',
    'transferred', 'refunded', 'refund-reversed', 'kept', 'waived', 'written-off')),
  amount    INTEGER NOT NULL,
  -- The number of unknown amounts that it adds to its account.
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
-- A covering index for the figures.
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
-- Text that staff wrote can be erased: by_name, reason, method and reference.
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

-- A row is one delivery to one target, such as a webhook. It is stored in the transaction that emits
-- its event. Deliveries of one subject to one target are made in the order of `position`.
CREATE TABLE outbox (
  position       INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT    NOT NULL UNIQUE,
  channel        TEXT    NOT NULL,
  target         TEXT    NOT NULL,
  type           TEXT    NOT NULL,
  subject        TEXT    NOT NULL,
  data           TEXT    NOT NULL,
  state          TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'skipped', 'failed')),
  attempts       INTEGER NOT NULL DEFAULT 0,
  manual_retries INTEGER NOT NULL DEFAULT 0,
  next_at        INTEGER NOT NULL,
  leased_until   INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  ended_at       INTEGER,
  answer         TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (channel, target, next_at, position) WHERE state = 'waiting';
CREATE INDEX outbox_queue ON outbox (channel, target, subject, position) WHERE state = 'waiting';
CREATE INDEX outbox_by_subject ON outbox (subject, position);
CREATE INDEX outbox_by_target ON outbox (channel, target, position);
CREATE INDEX outbox_ended ON outbox (state, ended_at) WHERE state <> 'waiting';

-- The emails about unpaid orders of the last hour. They are limited by address and by network, because
-- anyone can place an order with any address.
CREATE TABLE unpaid_emails (
  delivery_id  TEXT    NOT NULL PRIMARY KEY,
  address_hash TEXT    NOT NULL,
  client_hash  TEXT,
  at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unpaid_emails_by_address ON unpaid_emails (address_hash, at);
CREATE INDEX unpaid_emails_by_client ON unpaid_emails (client_hash, at)
  WHERE client_hash IS NOT NULL;
CREATE INDEX unpaid_emails_by_time ON unpaid_emails (at);

-- `events`: JSON, the types of events that it receives; NULL for all. `old_secret` signs too until
-- `old_secret_until`, so that receivers can change the secret without a gap.
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

-- `name_key` makes names unique without regard to case.
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

-- One-time sign-in links. Only the SHA-256 of the secret is stored.
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

-- Each challenge is signed once. `staff_id`: the member who registers a passkey; NULL for a sign-in.
CREATE TABLE passkey_challenges (
  id         TEXT    NOT NULL PRIMARY KEY,
  challenge  TEXT    NOT NULL,
  staff_id   TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_of_staff ON passkey_challenges (staff_id);

-- Only the SHA-256 of the secret is stored.
CREATE TABLE staff_sessions (
  id         TEXT    NOT NULL PRIMARY KEY,
  hash       TEXT    NOT NULL UNIQUE,
  staff_id   TEXT    NOT NULL REFERENCES staff (id),
  browser    TEXT,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX staff_sessions_of_staff ON staff_sessions (staff_id);

-- API tokens. Only the SHA-256 of a token is stored.
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

-- The changed shop settings; `value` is JSON. The others have their defaults.
CREATE TABLE shop_settings (
  name       TEXT    NOT NULL PRIMARY KEY,
  value      TEXT    NOT NULL,
  changed_by TEXT    NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The assets of all recent builds of the storefront, by their hashed names.
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

CREATE TABLE key_values (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
