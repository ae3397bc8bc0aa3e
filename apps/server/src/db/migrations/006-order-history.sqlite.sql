-- Every change of an order is an event, with who made it and what was changed; `data` is JSON that depends on `kind`.
-- The first event of an earlier order has the kind 'moved' too; it is known by its from_status, which is NULL.
ALTER TABLE order_events ADD COLUMN kind TEXT NOT NULL DEFAULT 'moved';
ALTER TABLE order_events ADD COLUMN by_name TEXT;
ALTER TABLE order_events ADD COLUMN data TEXT;

ALTER TABLE orders ADD COLUMN carrier TEXT;
ALTER TABLE orders ADD COLUMN tracking_number TEXT;
ALTER TABLE orders ADD COLUMN tracking_url TEXT;
-- What the merchant tells the shopper about a cancellation.
ALTER TABLE orders ADD COLUMN merchant_message TEXT;
ALTER TABLE orders ADD COLUMN erased_at INTEGER;
-- The orders whose personal data can be erased after a time. An order enters it with its last status.
CREATE INDEX orders_to_erase ON orders (status, created_at, id) WHERE erased_at IS NULL AND status IN ('Delivered', 'Cancelled');
