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
