-- cents: the amount that a contract lends. extends: the earlier contract that an extension continues (it brings no money).
ALTER TABLE contracts ADD COLUMN cents INTEGER;
ALTER TABLE contracts ADD COLUMN extends TEXT;
CREATE INDEX mismatches_by_order ON mismatches (order_id, seen_at);

-- What the provider reported of a contract when the sweep settled it last; a sweep settles it again only after a change.
CREATE TABLE settled_contracts (
  contract_id TEXT NOT NULL PRIMARY KEY,
  told        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The call budget for the loan provider, shared by all processes.
CREATE TABLE call_budget (
  name         TEXT NOT NULL PRIMARY KEY,
  calls        REAL NOT NULL,
  share        REAL NOT NULL,
  filled_at    REAL NOT NULL,
  paused_until REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Lists orders that counted as paid because of a dispute, which proves no payment, as mismatches.
INSERT INTO mismatches (contract_id, order_id, kind, detail, seen_at)
SELECT c.id, c.order_id, 'dispute',
       'Its order was taken as paid when the provider had a dispute about it, which proves no payment: ask the provider whether the principal was given.',
       e.at
FROM order_events e
JOIN contracts c ON c.order_id = e.order_id
WHERE e.to_status = 'PaymentProcessed' AND substr(e.reason, 1, length(c.id) + 18) = 'contract ' || c.id || ': Dispute'
ON CONFLICT DO NOTHING;
