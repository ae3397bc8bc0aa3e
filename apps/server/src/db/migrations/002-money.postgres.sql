-- cents: the amount that a contract lends. extends: the earlier contract that an extension continues (it brings no money).
ALTER TABLE contracts ADD COLUMN cents bigint;
ALTER TABLE contracts ADD COLUMN extends text;
CREATE INDEX mismatches_by_order ON mismatches (order_id, seen_at);

-- What the provider reported of a contract when the sweep settled it last; a sweep settles it again only after a change.
CREATE TABLE settled_contracts (
  contract_id text COLLATE "C" NOT NULL PRIMARY KEY,
  told        text NOT NULL
);

-- The call budget for the loan provider, shared by all processes.
CREATE TABLE call_budget (
  name         text NOT NULL PRIMARY KEY,
  calls        double precision NOT NULL,
  share        double precision NOT NULL,
  filled_at    double precision NOT NULL,
  paused_until double precision NOT NULL
);

-- Lists orders that counted as paid because of a dispute, which proves no payment, as mismatches.
INSERT INTO mismatches (contract_id, order_id, kind, detail, seen_at)
SELECT c.id, c.order_id, 'dispute',
       'Its order was taken as paid when the provider had a dispute about it, which proves no payment: ask the provider whether the principal was given.',
       e.at
FROM order_events e
JOIN contracts c ON c.order_id = e.order_id
WHERE e.to_status = 'PaymentProcessed' AND substr(e.reason, 1, length(c.id) + 18) = 'contract ' || c.id || ': Dispute'
ON CONFLICT DO NOTHING;
