-- Returns of shipped and delivered orders. `lines`: JSON, such as [{"item_id":"moka-pot","quantity":1}].
CREATE TABLE order_returns (
  id         text    COLLATE "C" PRIMARY KEY,
  order_id   text    COLLATE "C" NOT NULL REFERENCES orders (id),
  state      text    NOT NULL,
  lines      text    NOT NULL,
  reason     text,
  message    text,
  by         text    NOT NULL,
  by_name    text,
  refund_id  text    COLLATE "C",
  opened_at  bigint  NOT NULL,
  changed_at bigint  NOT NULL
);

CREATE INDEX order_returns_by_order ON order_returns (order_id, opened_at);
CREATE INDEX order_returns_by_state ON order_returns (state, opened_at);

-- A server of 1.0.0 erases orders without knowing their returns.
CREATE FUNCTION erase_order_returns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE order_returns SET reason = NULL, message = NULL WHERE order_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER order_returns_erased AFTER UPDATE OF erased_at ON orders
  FOR EACH ROW WHEN (new.erased_at IS NOT NULL) EXECUTE FUNCTION erase_order_returns();
