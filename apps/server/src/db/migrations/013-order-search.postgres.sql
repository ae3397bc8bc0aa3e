-- The orders that were placed or changed and are not in the index yet; a worker takes them out. The triggers serve all
-- processes, those of the previous version too.
CREATE TABLE order_changes (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text   COLLATE "C" NOT NULL
);
CREATE FUNCTION note_order_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_changes (order_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
CREATE TRIGGER order_placed AFTER INSERT ON orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_order_changes();
CREATE TRIGGER order_changed AFTER UPDATE ON orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_order_changes();

-- One row is one order, numbered in the order of indexing. changed_at: when its last change was indexed; it never decreases
-- from one commit to the next. words: the words by which the order is found, with a blank before each.
CREATE TABLE order_index (
  position   bigint PRIMARY KEY,
  order_id   text   COLLATE "C" NOT NULL UNIQUE,
  changed_at bigint NOT NULL,
  words      text   NOT NULL
);
CREATE INDEX order_index_by_change ON order_index (changed_at, position);

-- The words of the orders, by blocks of 1,024 consecutive positions: a search reads the newest blocks first.
CREATE TABLE order_words (
  block    integer NOT NULL,
  word     text    COLLATE "C" NOT NULL,
  position bigint  NOT NULL,
  PRIMARY KEY (block, word, position)
);

-- The worker indexes the orders that are stored already, after the start: this is the place where it begins.
INSERT INTO facts (name, value) SELECT 'order-index-place', '[0,""]' WHERE EXISTS (SELECT 1 FROM orders);
