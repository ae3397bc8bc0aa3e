import { journalKinds } from "@keepsats/domain";
import { expect, test } from "vitest";
import { amountsOf, amountsText, dueOnceCancelled, entryLabel } from "./ledger.ts";

const euros = {
  currency: "EUR",
  received: 900,
  refunded: 100,
  kept: 0,
  refundable: 800,
  refund_due: 0,
};
const ledger = {
  received: 9_000,
  refunded: 500,
  kept: 4_500,
  refundable: 4_000,
  refund_due: 4_000,
  other_currencies: [euros],
  entries: [],
};

test("a sum has an amount for each currency in which it is not 0", () => {
  expect(amountsOf(ledger, "received")).toEqual([
    { currency: "USD", cents: 9_000 },
    { currency: "EUR", cents: 900 },
  ]);
  expect(amountsOf(ledger, "refund_due")).toEqual([{ currency: "USD", cents: 4_000 }]);
});

test("once an order is cancelled, all money that was not refunded is due", () => {
  expect(dueOnceCancelled(ledger)).toEqual([
    { currency: "USD", cents: 8_500 },
    { currency: "EUR", cents: 800 },
  ]);
});

test("money that staff keep is not due once an order is cancelled", () => {
  const received = { kind: "received", currency: "USD", amount: 9_000, loan_id: "loan" };
  const kept = { ...received, kind: "kept", amount: 1_000 };
  const entries = [received, kept, { ...kept, amount: null }, { ...kept, currency: "EUR" }];
  expect(dueOnceCancelled({ ...ledger, entries })[0]?.cents).toBe(7_500);
  const reversed = { ...received, kind: "reversed", amount: -9_000 };
  const again = { ...received, loan_id: "another" };
  expect(dueOnceCancelled({ ...ledger, entries: [...entries, reversed, again] })[0]?.cents).toBe(
    8_500,
  );
});

test.each([
  [[], 0, ""],
  [[4_500], 0, "$45.00"],
  [[4_500], 1, "$45.00 and an unknown amount"],
  [[123_450, 1_200], 2, "$1,234.50, $12.00 and 2 unknown amounts"],
  [[], 1, "an unknown amount"],
])("the text of %j and %i unknown amounts is %j", (cents, unknown, text) => {
  const amounts = cents.map((sum) => ({ currency: "USD", cents: sum }));
  expect(amountsText(amounts, unknown)).toBe(text);
});

test.each(journalKinds)("an entry %s has a label with a capital letter", (kind) => {
  expect(entryLabel({ kind, amount: 1_200 })).toMatch(/^[A-Z]/);
});

test("an entry that undoes a decision says so", () => {
  expect(entryLabel({ kind: "waived", amount: -480 })).toBe("Waived: undone");
  expect(entryLabel({ kind: "reversed", amount: -1_200 })).toBe("Payout reversed");
});

test("both entries of a granted refund name its kind", () => {
  const granted = { amount: 500, grant: "goodwill" };
  expect(entryLabel({ kind: "waived", ...granted })).toBe("Refund granted: goodwill");
  expect(entryLabel({ kind: "refunded", ...granted })).toBe("Refunded: goodwill");
});

test("an entry of unknown amount, or of an unknown kind, has a label", () => {
  expect(entryLabel({ kind: "received", amount: null })).toBe("Received");
  expect(entryLabel({ kind: "lent", amount: null })).toBe("lent");
});
