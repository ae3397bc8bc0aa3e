-- with_key: 1 if the contract was presented with the order's key. This is unknown for existing rows, which count as presented with it.
ALTER TABLE payment_checks ADD COLUMN with_key INTEGER NOT NULL DEFAULT 0;
UPDATE payment_checks SET with_key = 1;
