-- with_key: 1 if a connection with the order's key has presented the contract. Of earlier ones nobody knows; they keep their weight.
ALTER TABLE payment_checks ADD COLUMN with_key integer NOT NULL DEFAULT 0;
UPDATE payment_checks SET with_key = 1;
