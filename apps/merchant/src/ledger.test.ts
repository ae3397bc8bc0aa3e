import type { MerchantEntry } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { amountText, journalTable, sumsText } from "./ledger.ts";

const nothing = {
  ...{ received: 0, kept: 0, waived: 0, written_off: 0, refund_due: 0, refundable: 0 },
  ...{ refunded: 0, missing: 0, unknown_amounts: 0, other_currencies: [] },
};
const euros = {
  ...{ currency: "EUR", received: 900, refunded: 100, kept: 0, refundable: 800, refund_due: 800 },
};

test.each([
  [4_500, "USD", "$45.00"],
  [-4_500, "USD", "-$45.00"],
  [900, "EUR", "9.00 EUR"],
  [null, "USD", "unknown"],
])("%j hundredths of %s are %j", (cents, currency, text) => {
  expect(amountText(cents, currency)).toBe(text);
});

test.each([
  ["nothing", {}, ""],
  [
    "a refund due",
    { received: 9_000, kept: 4_500, refundable: 4_500, refund_due: 4_500 },
    "received $90.00, kept $45.00, refund due $45.00",
  ],
  [
    "money that does not pay",
    { received: 720, refundable: 720 },
    "received $7.20, refundable $7.20",
  ],
  [
    "another currency",
    { other_currencies: [euros] },
    "received 9.00 EUR, refunded 1.00 EUR, refund due 8.00 EUR",
  ],
  ["an unknown amount", { unknown_amounts: 1 }, "received unknown"],
])("the sums of a ledger with %s", (_, changes, text) => {
  expect(sumsText({ ...nothing, ...changes })).toBe(text);
});

test("a journal has a line for each entry, with its loan and reason below", () => {
  const received: MerchantEntry = {
    ...{ kind: "received", id: "e", loan_id: "loan-7", amount: null, currency: "USD", at: 0 },
    ...{ by: "provider", reason: null, refund_id: null, method: null, reference: null },
    issue_id: null,
  };
  const refunded: MerchantEntry = {
    ...{ ...received, kind: "refunded", loan_id: null, amount: 1_200, by: "Ada" },
    ...{ method: "cash", reference: "till 3", reason: "sold out" },
  };
  expect(journalTable([received, refunded], 80).split("\n")).toEqual([
    "WHEN (UTC)        MONEY      AMOUNT  BY",
    "1970-01-01 00:00  Received  unknown  provider",
    "                  loan loan-7",
    "1970-01-01 00:00  Refunded   $12.00  Ada",
    "                  cash, till 3, sold out",
  ]);
  expect(journalTable([], 80)).toBe("");
});
