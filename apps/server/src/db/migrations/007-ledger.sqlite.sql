-- cents: the money that came in by this mismatch and pays no order; NULL where no money came in, or it is not known.
-- A mismatch is open until somebody resolves it.
ALTER TABLE mismatches ADD COLUMN cents INTEGER;
ALTER TABLE mismatches ADD COLUMN resolution TEXT;
ALTER TABLE mismatches ADD COLUMN resolution_note TEXT;
ALTER TABLE mismatches ADD COLUMN resolved_by TEXT;
ALTER TABLE mismatches ADD COLUMN resolved_at INTEGER;
CREATE INDEX mismatches_open ON mismatches (seen_at, contract_id, order_id, kind) WHERE resolved_at IS NULL;

CREATE TABLE refunds (
  id        TEXT    NOT NULL PRIMARY KEY,
  order_id  TEXT    NOT NULL REFERENCES orders (id),
  cents     INTEGER NOT NULL CHECK (cents > 0),
  method    TEXT    NOT NULL,
  reference TEXT,
  by_name   TEXT    NOT NULL,
  at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refunds_by_order ON refunds (order_id, at);

-- The next sweep settles these loans again, which fills `cents`.
DELETE FROM settled_contracts WHERE contract_id IN (SELECT contract_id FROM mismatches);
