-- The statuses of an order are no longer listed in a CHECK: they are checked where a row is read (orders/order.ts), and a
-- new status needs no migration.
ALTER TABLE orders DROP CONSTRAINT orders_status_check;
