-- stock: how many pieces are left; NULL for an item that is not counted. low_told: whether the merchant knows that few are
-- left. images: JSON, the further pictures of an item.
ALTER TABLE items ADD COLUMN stock INTEGER CHECK (stock >= 0);
ALTER TABLE items ADD COLUMN low_told INTEGER NOT NULL DEFAULT 0 CHECK (low_told IN (0, 1));
ALTER TABLE items ADD COLUMN images TEXT NOT NULL DEFAULT '[]';
-- The pieces that the line took from the stock, and that a cancellation gives back.
ALTER TABLE order_lines ADD COLUMN taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0);
