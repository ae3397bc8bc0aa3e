-- client_hash: a hash of the network that an order was placed from, by which emails about unpaid orders are limited.
ALTER TABLE orders ADD COLUMN client_hash text;
ALTER TABLE unpaid_letters ADD COLUMN client_hash text;
CREATE INDEX unpaid_letters_by_client ON unpaid_letters (client_hash, at) WHERE client_hash IS NOT NULL;
