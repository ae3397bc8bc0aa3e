-- Every change of an order is an event, with who made it and what was changed; `data` is JSON that depends on `kind`.
-- The first event of an earlier order has the kind 'moved' too; it is known by its from_status, which is NULL.
ALTER TABLE order_events ADD COLUMN kind text NOT NULL DEFAULT 'moved';
ALTER TABLE order_events ADD COLUMN by_name text;
ALTER TABLE order_events ADD COLUMN data text;

ALTER TABLE orders ADD COLUMN carrier text;
ALTER TABLE orders ADD COLUMN tracking_number text;
ALTER TABLE orders ADD COLUMN tracking_url text;
-- What the merchant tells the shopper about a cancellation.
ALTER TABLE orders ADD COLUMN merchant_message text;
ALTER TABLE orders ADD COLUMN erased_at bigint;
-- The orders whose personal data can be erased after a time. An order enters it with its last status.
CREATE INDEX orders_to_erase ON orders (status, created_at, id) WHERE erased_at IS NULL AND status IN ('Delivered', 'Cancelled');
