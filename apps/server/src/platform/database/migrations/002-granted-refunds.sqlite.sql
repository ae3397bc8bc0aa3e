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
