-- The orders that were placed or changed and are not in the index yet; a worker takes them out. The triggers serve all
-- processes, those of the previous version too. A migration that rebuilds `orders` must create them again.
CREATE TABLE order_changes (
  position INTEGER PRIMARY KEY,
  order_id TEXT    NOT NULL
) STRICT;
CREATE TRIGGER order_placed AFTER INSERT ON orders BEGIN
  INSERT INTO order_changes (order_id) VALUES (new.id);
END;
CREATE TRIGGER order_changed AFTER UPDATE ON orders BEGIN
  INSERT INTO order_changes (order_id) VALUES (new.id);
END;

-- One row is one order, numbered in the order of indexing. changed_at: when its last change was indexed; it never decreases
-- from one commit to the next. words: the words by which the order is found, with a blank before each.
CREATE TABLE order_index (
  position   INTEGER PRIMARY KEY,
  order_id   TEXT    NOT NULL UNIQUE,
  changed_at INTEGER NOT NULL,
  words      TEXT    NOT NULL
) STRICT;
CREATE INDEX order_index_by_change ON order_index (changed_at, position);

-- The words of the orders, by blocks of 1,024 consecutive positions: a search reads the newest blocks first.
CREATE TABLE order_words (
  block    INTEGER NOT NULL,
  word     TEXT    NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (block, word, position)
) STRICT, WITHOUT ROWID;

-- The worker indexes the orders that are stored already, after the start: this is the place where it begins.
INSERT INTO facts (name, value) SELECT 'order-index-place', '[0,""]' WHERE EXISTS (SELECT 1 FROM orders);
