-- Refunds that staff grant for a return or as goodwill: the price was paid, and nothing is due.
-- Both entries of a granted refund have its kind.
ALTER TABLE journal ADD COLUMN grant_kind text;

DROP TRIGGER journal_is_not_changed ON journal;
CREATE TRIGGER journal_is_not_changed
  BEFORE UPDATE OF position, id, order_id, loan_id, kind, amount, unknown, currency, at, issue_id, refund_id, grant_kind ON journal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The lines of an order that a granted refund is for. `restocked`: the pieces added to the stock.
CREATE TABLE refund_lines (
  order_id  text    COLLATE "C" NOT NULL REFERENCES orders (id),
  refund_id text    COLLATE "C" NOT NULL,
  position  integer NOT NULL,
  quantity  integer NOT NULL CHECK (quantity >= 1),
  restocked integer NOT NULL CHECK (restocked BETWEEN 0 AND quantity),
  PRIMARY KEY (order_id, refund_id, position)
);

-- A restricted member of staff or token keeps the role `staff`, which 1.0.0 can list. 1.0.0 does not
-- know the column and would grant that role, so the credentials are stored in a form that it does not
-- find, and the trigger refuses the sessions that it would open.
ALTER TABLE staff ADD COLUMN restricted_role text;
ALTER TABLE tokens ADD COLUMN restricted_role text;

CREATE FUNCTION refuse_unrestricted_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM staff WHERE id = NEW.staff_id AND restricted_role IS NOT NULL) THEN
    RAISE EXCEPTION 'the session of a restricted role needs a restricted hash';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER restricted_sessions BEFORE INSERT ON staff_sessions
  FOR EACH ROW WHEN (NEW.hash NOT LIKE 'restricted %') EXECUTE FUNCTION refuse_unrestricted_session();

-- Returns of shipped and delivered orders. `lines`: JSON, such as [{"item_id":"moka-pot","quantity":1}].
CREATE TABLE order_returns (
  id         text    COLLATE "C" PRIMARY KEY,
  order_id   text    COLLATE "C" NOT NULL REFERENCES orders (id),
  state      text    NOT NULL,
  lines      text    NOT NULL,
  reason     text,
  message    text,
  by         text    NOT NULL,
  by_name    text,
  refund_id  text    COLLATE "C",
  opened_at  bigint  NOT NULL,
  changed_at bigint  NOT NULL
);

CREATE INDEX order_returns_by_order ON order_returns (order_id, opened_at);
CREATE INDEX order_returns_by_state ON order_returns (state, opened_at);

-- A server of 1.0.0 erases orders without knowing their returns.
CREATE FUNCTION erase_order_returns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE order_returns SET reason = NULL, message = NULL WHERE order_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER order_returns_erased AFTER UPDATE OF erased_at ON orders
  FOR EACH ROW WHEN (new.erased_at IS NOT NULL) EXECUTE FUNCTION erase_order_returns();

-- The VAT rate of an item in basis points; NULL for the rate of the shop.
ALTER TABLE items ADD COLUMN vat_rate integer CHECK (vat_rate BETWEEN 0 AND 10000);

-- The receipt of a paid order (`sequence` 0) and its credit notes (from 1). Rows never change. Their
-- numbers, lines and buyers are those of the order: erasing it needs no change here. (The table
-- `receipts` has payouts.) `content`: JSON with seller, total and VAT.
CREATE TABLE issued_receipts (
  order_id  text    COLLATE "C" NOT NULL REFERENCES orders (id),
  sequence  integer NOT NULL CHECK (sequence >= 0),
  refund_id text    COLLATE "C",
  issued_at bigint  NOT NULL,
  content   text    NOT NULL,
  PRIMARY KEY (order_id, sequence)
);

CREATE INDEX issued_receipts_by_time ON issued_receipts (issued_at, order_id, sequence);

CREATE TRIGGER issued_receipts_stay BEFORE UPDATE OR DELETE ON issued_receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Categories of items. `name_key`: the name in lower case. The whole list is replaced at once, so the
-- foreign key is checked at the commit.
CREATE TABLE categories (
  id       text    COLLATE "C" PRIMARY KEY,
  name     text    NOT NULL,
  name_key text    NOT NULL UNIQUE,
  position integer NOT NULL
);
ALTER TABLE items ADD COLUMN category_id text COLLATE "C"
  REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED;

-- The main item of a variant. No foreign key: 1.0.0 deletes a main item without its variants.
ALTER TABLE items ADD COLUMN variant_of text COLLATE "C";
ALTER TABLE items ADD COLUMN variant_name text;
CREATE INDEX items_by_main ON items (variant_of) WHERE variant_of IS NOT NULL;

-- Has all items with low stock, reported or not.
DROP INDEX items_low_stock;
CREATE INDEX items_low_stock ON items (id) WHERE stock <= 3;
