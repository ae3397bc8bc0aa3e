import { expect, test } from "vitest";
import { ledgerRows } from "./ledger-rows.ts";

const nothing = {
  ...{ received: 0, kept: 0, waived: 0, written_off: 0, refund_due: 0, refundable: 0 },
  ...{ refunded: 0, missing: 0, unknown_amounts: 0, other_currencies: [] },
};
const euros = {
  ...{ currency: "Eur", received: 900, refunded: 100, kept: 0, refundable: 800, refund_due: 800 },
};
const rows = (changes: Partial<typeof nothing | Parameters<typeof ledgerRows>[0]>) =>
  ledgerRows({ ...nothing, ...changes }).map(({ label, cents, currency }) =>
    [label, cents, currency].join(" ").trim(),
  );

test("an order without money says so", () => {
  expect(rows({})).toEqual(["Received 0 USD"]);
});

test("a paid order that was paid twice has a refund due", () => {
  const paid = { received: 9_000, kept: 4_500, refundable: 4_500, refund_due: 4_500 };
  expect(rows(paid)).toEqual(["Received 9000 USD", "Kept 4500 USD", "Refund due 4500 USD"]);
});

test("money that does not pay an order is refundable", () => {
  expect(rows({ received: 720, refundable: 720 })).toEqual([
    "Received 720 USD",
    "Refundable 720 USD",
  ]);
});

test("money in another currency stands in it, beside no 0 in dollars", () => {
  expect(rows({ other_currencies: [euros] })).toEqual([
    "Received 900 Eur",
    "Refunded 100 Eur",
    "Refund due 800 Eur",
  ]);
});

test("an unknown amount is unknown, and never 0", () => {
  expect(ledgerRows({ ...nothing, unknown_amounts: 1 })).toEqual([
    { label: "Received", cents: null, currency: "" },
  ]);
  expect(rows({ received: 720, refundable: 720, unknown_amounts: 2 })).toEqual([
    "Received 720 USD",
    "Received, by 2 loans",
    "Refundable 720 USD",
  ]);
});
