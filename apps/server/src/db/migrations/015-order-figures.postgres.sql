-- Figures of all orders and their loans, kept by the worker that keeps the index. Example: figure 'status', label 'Pending',
-- orders 12. cents is 0 where a figure counts no money.
CREATE TABLE order_figures (
  figure text   COLLATE "C" NOT NULL,
  label  text   COLLATE "C" NOT NULL,
  orders bigint NOT NULL,
  cents  bigint NOT NULL,
  PRIMARY KEY (figure, label)
);

-- counted: JSON, what the figures contain of this order; NULL before it is counted. counted_at: the value of changed_at when it was
-- counted. A process of the previous version changes changed_at alone, so the order is counted again.
ALTER TABLE order_index ADD COLUMN counted text;
ALTER TABLE order_index ADD COLUMN counted_at bigint NOT NULL DEFAULT -1;
CREATE INDEX order_index_uncounted ON order_index (position) WHERE counted_at <> changed_at;

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
CREATE TRIGGER loan_bound AFTER INSERT ON contracts FOR EACH ROW EXECUTE FUNCTION note_loan_change();
CREATE TRIGGER loan_changed AFTER UPDATE ON contracts FOR EACH ROW WHEN (OLD.meaning <> NEW.meaning)
  EXECUTE FUNCTION note_loan_change();

-- Every item that is low or sold out is in it: `low_told` is 1 while few pieces are left.
CREATE INDEX items_told ON items (id) WHERE low_told = 1;
