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
