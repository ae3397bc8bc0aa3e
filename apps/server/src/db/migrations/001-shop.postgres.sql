-- Ids are compared byte by byte, whatever the database's own order of letters is.
CREATE TABLE items (
  position    bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id          text    COLLATE "C" NOT NULL UNIQUE,
  name        text    NOT NULL,
  description text    NOT NULL,
  price       integer NOT NULL CHECK (price BETWEEN 0 AND 100000000),
  image_url   text    NOT NULL,
  hidden      integer NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
);

CREATE TABLE orders (
  id               text    COLLATE "C" PRIMARY KEY CHECK (length(id) = 36),
  status           text    NOT NULL CHECK (status IN ('Pending', 'PaymentProcessing', 'PaymentProcessed', 'Shipped', 'Delivered', 'Cancelled')),
  version          integer NOT NULL CHECK (version >= 1),
  attempt_over     integer NOT NULL DEFAULT 0 CHECK (attempt_over IN (0, 1)),
  customer_name    text    NOT NULL,
  customer_email   text    NOT NULL,
  shipping_address text    NOT NULL,
  billing_address  text    NOT NULL,
  total            bigint  NOT NULL CHECK (total >= 0),
  created_at       bigint  NOT NULL
);
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX orders_by_status ON orders (status, created_at, id);

CREATE TABLE order_lines (
  order_id text    COLLATE "C" NOT NULL REFERENCES orders (id),
  position integer NOT NULL,
  item_id  text    NOT NULL,
  name     text    NOT NULL,
  price    integer NOT NULL CHECK (price >= 0),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  PRIMARY KEY (order_id, position)
);

CREATE TABLE order_events (
  order_id    text    COLLATE "C" NOT NULL REFERENCES orders (id),
  version     integer NOT NULL,
  from_status text,
  to_status   text    NOT NULL,
  by          text    NOT NULL,
  reason      text,
  at          bigint  NOT NULL,
  PRIMARY KEY (order_id, version)
);

CREATE TABLE idempotency_keys (
  key        text   COLLATE "C" PRIMARY KEY,
  body_hash  text   NOT NULL,
  answer     text   NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- A contract pays one order, ever: the primary key is the promise.
CREATE TABLE contracts (
  id         text   COLLATE "C" PRIMARY KEY,
  order_id   text   COLLATE "C" NOT NULL REFERENCES orders (id),
  status     text   NOT NULL,
  meaning    text   NOT NULL CHECK (meaning IN ('processing', 'paid', 'over', 'unknown')),
  bound_at   bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX contracts_by_order ON contracts (order_id);

CREATE TABLE payment_checks (
  contract_id  text    COLLATE "C" NOT NULL,
  order_id     text    COLLATE "C" NOT NULL REFERENCES orders (id),
  outcome      text    NOT NULL,
  failures     integer NOT NULL DEFAULT 0,
  not_before   bigint  NOT NULL,
  next_at      bigint  NOT NULL,
  leased_until bigint  NOT NULL DEFAULT 0,
  created_at   bigint  NOT NULL,
  PRIMARY KEY (order_id, contract_id)
);
CREATE INDEX payment_checks_due ON payment_checks (next_at);

CREATE TABLE mismatches (
  contract_id text   COLLATE "C" NOT NULL,
  order_id    text   COLLATE "C" NOT NULL,
  kind        text   COLLATE "C" NOT NULL,
  detail      text   NOT NULL,
  seen_at     bigint NOT NULL,
  PRIMARY KEY (contract_id, order_id, kind)
);
CREATE INDEX mismatches_by_time ON mismatches (seen_at);

CREATE TABLE leases (
  name  text   PRIMARY KEY,
  until bigint NOT NULL
);

CREATE TABLE facts (
  name  text PRIMARY KEY,
  value text NOT NULL
);

-- What the rate limits of all server processes count; it need not survive a crash.
CREATE UNLOGGED TABLE rate_windows (
  key     text    COLLATE "C" PRIMARY KEY,
  count   integer NOT NULL,
  ends_at bigint  NOT NULL
);
