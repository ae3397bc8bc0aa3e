-- Has all items with low stock, reported or not.
DROP INDEX items_low_stock;
CREATE INDEX items_low_stock ON items (id) WHERE stock <= 3;
