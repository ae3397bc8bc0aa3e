-- What a contract lends, in cents, and the contract that it goes on with (an extension brings no money of its own).
ALTER TABLE contracts ADD COLUMN cents INTEGER;
ALTER TABLE contracts ADD COLUMN extends TEXT;
CREATE INDEX mismatches_by_order ON mismatches (order_id, seen_at);

-- What the provider has said of a contract when the sweep settled it last, so that the same is not settled again.
CREATE TABLE settled_contracts (
  contract_id TEXT NOT NULL PRIMARY KEY,
  told        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The calls to the loan provider that all processes may still make together.
CREATE TABLE call_budget (
  name         TEXT NOT NULL PRIMARY KEY,
  calls        REAL NOT NULL,
  share        REAL NOT NULL,
  filled_at    REAL NOT NULL,
  paused_until REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Orders that were taken as paid because a dispute was opened, which proves no payment.
INSERT INTO mismatches (contract_id, order_id, kind, detail, seen_at)
SELECT c.id, c.order_id, 'dispute',
       'Its order was taken as paid when the provider had a dispute about it, which proves no payment: ask the provider whether the principal was given.',
       e.at
FROM order_events e
JOIN contracts c ON c.order_id = e.order_id
WHERE e.to_status = 'PaymentProcessed' AND substr(e.reason, 1, length(c.id) + 18) = 'contract ' || c.id || ': Dispute'
ON CONFLICT DO NOTHING;
