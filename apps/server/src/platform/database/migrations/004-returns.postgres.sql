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
