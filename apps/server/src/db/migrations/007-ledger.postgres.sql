-- cents: the money that came in by this mismatch and pays no order; NULL where no money came in, or it is not known.
-- A mismatch is open until somebody resolves it.
ALTER TABLE mismatches ADD COLUMN cents bigint;
ALTER TABLE mismatches ADD COLUMN resolution text;
ALTER TABLE mismatches ADD COLUMN resolution_note text;
ALTER TABLE mismatches ADD COLUMN resolved_by text;
ALTER TABLE mismatches ADD COLUMN resolved_at bigint;
CREATE INDEX mismatches_open ON mismatches (seen_at, contract_id, order_id, kind) WHERE resolved_at IS NULL;

CREATE TABLE refunds (
  id        text   COLLATE "C" PRIMARY KEY,
  order_id  text   COLLATE "C" NOT NULL REFERENCES orders (id),
  cents     bigint NOT NULL CHECK (cents > 0),
  method    text   NOT NULL,
  reference text,
  by_name   text   NOT NULL,
  at        bigint NOT NULL
);
CREATE INDEX refunds_by_order ON refunds (order_id, at);

-- The next sweep settles these loans again, which fills `cents`.
DELETE FROM settled_contracts WHERE contract_id IN (SELECT contract_id FROM mismatches);
