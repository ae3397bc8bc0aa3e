-- Returns of shipped and delivered orders. `lines`: JSON, such as [{"item_id":"moka-pot","quantity":1}].
CREATE TABLE order_returns (
  id         TEXT    PRIMARY KEY,
  order_id   TEXT    NOT NULL REFERENCES orders (id),
  state      TEXT    NOT NULL,
  lines      TEXT    NOT NULL,
  reason     TEXT,
  message    TEXT,
  by         TEXT    NOT NULL,
  by_name    TEXT,
  refund_id  TEXT,
  opened_at  INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX order_returns_by_order ON order_returns (order_id, opened_at);
CREATE INDEX order_returns_by_state ON order_returns (state, opened_at);

-- A server of 1.0.0 erases orders without knowing their returns.
CREATE TRIGGER order_returns_erased AFTER UPDATE OF erased_at ON orders
  WHEN new.erased_at IS NOT NULL BEGIN
  UPDATE order_returns SET reason = NULL, message = NULL WHERE order_id = new.id;
END;
