-- Figures of all orders and their loans, kept by the worker that keeps the index. Example: figure 'status', label 'Pending',
-- orders 12. cents is 0 where a figure counts no money.
CREATE TABLE order_figures (
  figure TEXT    NOT NULL,
  label  TEXT    NOT NULL,
  orders INTEGER NOT NULL,
  cents  INTEGER NOT NULL,
  PRIMARY KEY (figure, label)
) STRICT, WITHOUT ROWID;

-- counted: JSON, what the figures contain of this order; NULL before it is counted. counted_at: the value of changed_at when it was
-- counted. A process of the previous version changes changed_at alone, so the order is counted again.
ALTER TABLE order_index ADD COLUMN counted TEXT;
ALTER TABLE order_index ADD COLUMN counted_at INTEGER NOT NULL DEFAULT -1;
CREATE INDEX order_index_uncounted ON order_index (position) WHERE counted_at <> changed_at;

-- The orders of which a loan was bound or changed its standing, and that are not counted again yet.
CREATE TABLE loan_changes (
  position INTEGER PRIMARY KEY,
  order_id TEXT    NOT NULL
) STRICT;
CREATE TRIGGER loan_bound AFTER INSERT ON contracts BEGIN
  INSERT INTO loan_changes (order_id) VALUES (new.order_id);
END;
CREATE TRIGGER loan_changed AFTER UPDATE ON contracts WHEN old.meaning <> new.meaning BEGIN
  INSERT INTO loan_changes (order_id) VALUES (new.order_id);
END;

-- Every item that is low or sold out is in it: `low_told` is 1 while few pieces are left.
CREATE INDEX items_told ON items (id) WHERE low_told = 1;
