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
