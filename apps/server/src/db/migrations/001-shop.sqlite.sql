CREATE TABLE items (
  position    INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT    NOT NULL UNIQUE,
  name        TEXT    NOT NULL,
  description TEXT    NOT NULL,
  price       INTEGER NOT NULL CHECK (price BETWEEN 0 AND 100000000),
  image_url   TEXT    NOT NULL,
  hidden      INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
) STRICT;

CREATE TABLE orders (
  id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  status           TEXT    NOT NULL CHECK (status IN ('Pending', 'PaymentProcessing', 'PaymentProcessed', 'Shipped', 'Delivered', 'Cancelled')),
  version          INTEGER NOT NULL CHECK (version >= 1),
  attempt_over     INTEGER NOT NULL DEFAULT 0 CHECK (attempt_over IN (0, 1)),
  customer_name    TEXT    NOT NULL,
  customer_email   TEXT    NOT NULL,
  shipping_address TEXT    NOT NULL,
  billing_address  TEXT    NOT NULL,
  total            INTEGER NOT NULL CHECK (total >= 0),
  created_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX orders_by_status ON orders (status, created_at, id);

CREATE TABLE order_lines (
  order_id TEXT    NOT NULL REFERENCES orders (id),
  position INTEGER NOT NULL,
  item_id  TEXT    NOT NULL,
  name     TEXT    NOT NULL,
  price    INTEGER NOT NULL CHECK (price >= 0),
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE order_events (
  order_id    TEXT    NOT NULL REFERENCES orders (id),
  version     INTEGER NOT NULL,
  from_status TEXT,
  to_status   TEXT    NOT NULL,
  by          TEXT    NOT NULL,
  reason      TEXT,
  at          INTEGER NOT NULL,
  PRIMARY KEY (order_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  key        TEXT    NOT NULL PRIMARY KEY,
  body_hash  TEXT    NOT NULL,
  answer     TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- A contract pays one order, ever: the primary key is the promise.
CREATE TABLE contracts (
  id       TEXT    NOT NULL PRIMARY KEY,
  order_id TEXT    NOT NULL REFERENCES orders (id),
  status   TEXT    NOT NULL,
  meaning  TEXT    NOT NULL CHECK (meaning IN ('processing', 'paid', 'over', 'unknown')),
  bound_at   INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX contracts_by_order ON contracts (order_id);

CREATE TABLE payment_checks (
  contract_id  TEXT    NOT NULL,
  order_id     TEXT    NOT NULL REFERENCES orders (id),
  outcome      TEXT    NOT NULL,
  failures     INTEGER NOT NULL DEFAULT 0,
  not_before   INTEGER NOT NULL,
  next_at      INTEGER NOT NULL,
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (order_id, contract_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_checks_due ON payment_checks (next_at);

CREATE TABLE mismatches (
  contract_id TEXT    NOT NULL,
  order_id    TEXT    NOT NULL,
  kind        TEXT    NOT NULL,
  detail      TEXT    NOT NULL,
  seen_at     INTEGER NOT NULL,
  PRIMARY KEY (contract_id, order_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX mismatches_by_time ON mismatches (seen_at);

CREATE TABLE leases (
  name  TEXT    NOT NULL PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
