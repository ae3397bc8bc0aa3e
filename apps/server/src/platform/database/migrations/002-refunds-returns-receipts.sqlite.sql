-- Refunds that staff grant for a return or as goodwill: the price was paid, and nothing is due.
-- Both entries of a granted refund have its kind.
ALTER TABLE journal ADD COLUMN grant_kind TEXT;

DROP TRIGGER journal_is_not_changed;
CREATE TRIGGER journal_is_not_changed
  BEFORE UPDATE OF position, id, order_id, loan_id, kind, amount, unknown, currency, at, issue_id, refund_id, grant_kind ON journal BEGIN
  SELECT RAISE(ABORT, 'journal is never changed');
END;

-- The lines of an order that a granted refund is for. `restocked`: the pieces added to the stock.
CREATE TABLE refund_lines (
  order_id  TEXT    NOT NULL REFERENCES orders (id),
  refund_id TEXT    NOT NULL,
  position  INTEGER NOT NULL,
  quantity  INTEGER NOT NULL CHECK (quantity >= 1),
  restocked INTEGER NOT NULL CHECK (restocked BETWEEN 0 AND quantity),
  PRIMARY KEY (order_id, refund_id, position)
) STRICT, WITHOUT ROWID;

-- A restricted member of staff or token keeps the role `staff`, which 1.0.0 can list. 1.0.0 does not
-- know the column and would grant that role, so the credentials are stored in a form that it does not
-- find, and the trigger refuses the sessions that it would open.
ALTER TABLE staff ADD COLUMN restricted_role TEXT;
ALTER TABLE tokens ADD COLUMN restricted_role TEXT;

CREATE TRIGGER restricted_sessions BEFORE INSERT ON staff_sessions
  WHEN new.hash NOT LIKE 'restricted %'
    AND EXISTS (SELECT 1 FROM staff WHERE id = new.staff_id AND restricted_role IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'the session of a restricted role needs a restricted hash');
END;

-- Returns of shipped and delivered orders. `lines`: JSON, such as [{"item_id":"moka-pot","quantity":1}].
CREATE TABLE order_returns (
  id         TEXT    PRIMARY KEY,
  order_id   TEXT    NOT NULL REFERENCES orders (id),
  state      TEXT    NOT NULL,
  lines      TEXT    NOT NULL,
  reason     TEXT,
  message    TEXT,
  by         TEXT    NOT NULL,
  by_name    TEXT,
  refund_id  TEXT,
  opened_at  INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX order_returns_by_order ON order_returns (order_id, opened_at);
CREATE INDEX order_returns_by_state ON order_returns (state, opened_at);

-- A server of 1.0.0 erases orders without knowing their returns.
CREATE TRIGGER order_returns_erased AFTER UPDATE OF erased_at ON orders
  WHEN new.erased_at IS NOT NULL BEGIN
  UPDATE order_returns SET reason = NULL, message = NULL WHERE order_id = new.id;
END;

-- The VAT rate of an item in basis points; NULL for the rate of the shop.
ALTER TABLE items ADD COLUMN vat_rate INTEGER CHECK (vat_rate BETWEEN 0 AND 10000);

-- The receipt of a paid order (`sequence` 0) and its credit notes (from 1). Rows never change. Their
-- numbers, lines and buyers are those of the order: erasing it needs no change here. (The table
-- `receipts` has payouts.) `content`: JSON with seller, total and VAT.
CREATE TABLE issued_receipts (
  order_id  TEXT    NOT NULL REFERENCES orders (id),
  sequence  INTEGER NOT NULL CHECK (sequence >= 0),
  refund_id TEXT,
  issued_at INTEGER NOT NULL,
  content   TEXT    NOT NULL,
  PRIMARY KEY (order_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX issued_receipts_by_time ON issued_receipts (issued_at, order_id, sequence);

CREATE TRIGGER issued_receipts_are_not_changed BEFORE UPDATE ON issued_receipts BEGIN
  SELECT RAISE(ABORT, 'issued_receipts is never changed');
END;
CREATE TRIGGER issued_receipts_stay BEFORE DELETE ON issued_receipts BEGIN
  SELECT RAISE(ABORT, 'issued_receipts is never changed');
END;

-- Categories of items. `name_key`: the name in lower case. The whole list is replaced at once, so the
-- foreign key is checked at the commit.
CREATE TABLE categories (
  id       TEXT    PRIMARY KEY,
  name     TEXT    NOT NULL,
  name_key TEXT    NOT NULL UNIQUE,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE items ADD COLUMN category_id TEXT
  REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED;

-- The main item of a variant. No foreign key: 1.0.0 deletes a main item without its variants.
ALTER TABLE items ADD COLUMN variant_of TEXT;
ALTER TABLE items ADD COLUMN variant_name TEXT;
CREATE INDEX items_by_main ON items (variant_of) WHERE variant_of IS NOT NULL;

-- Has all items with low stock, reported or not.
DROP INDEX items_low_stock;
CREATE INDEX items_low_stock ON items (id) WHERE stock <= 3;
