import { orderEventKinds } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { eventWords, mismatchEntryWords, reasonWords, saysWho } from "./history-words.ts";

test.each(orderEventKinds)(
  "the event %s is told in words that begin with a capital letter",
  (kind) => {
    const words = eventWords({ kind, from: "Pending", to: "Shipped" });
    expect(words).toMatch(/^[A-Z]/);
    expect(words).not.toBe(kind);
  },
);

test("a move is told by the status that it leads to", () => {
  expect(eventWords({ kind: "moved", from: "PaymentProcessing", to: "PaymentProcessed" })).toBe(
    "Paid",
  );
  expect(eventWords({ kind: "moved", from: "PaymentProcessed", to: "Returned" })).toBe("Returned");
});

test("an event that this version does not know is told by its kind", () => {
  expect(eventWords({ kind: "gift-wrapped", from: "Pending", to: "Pending" })).toBe("gift-wrapped");
});

test.each([
  [
    "contract 2b89cdde-1111-4222-8333-444444444444: PrincipalGiven",
    "The lender has paid (loan 2b89cdde)",
  ],
  [
    "contract 2b89cdde-1111-4222-8333-444444444444: Rejected",
    "The lender has declined (loan 2b89cdde)",
  ],
  ["contract loan-7: accepted", "Accepted as full payment (loan loan-7)"],
  ["contract loan-7: Teleported", "Teleported (loan loan-7)"],
  ["contract with the carrier: late", "contract with the carrier: late"],
  ["broken in the stock", "broken in the stock"],
])("the reason %j is told as %j", (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});

test.each([
  ["paid-after-cancel", 4_500, "$45.00 came after the order was cancelled"],
  ["underpaid", 2_250, "$22.50 came, which is less than the order costs"],
  ["underpaid", null, "A payment does not fit"],
  ["refund-owed", 4_500, "$45.00 to give back"],
  ["overpaid", 500, "$5.00 too much came"],
  ["foreign", 2_400, "$24.00 came that does not pay the order"],
] as const)("a payment that is %s with %j cents is told", (kind, amount, words) => {
  expect(mismatchEntryWords({ kind, amount })).toBe(words);
});

test.each([
  ["provider", "Pending", false],
  ["provider", "PaymentProcessing", false],
  ["provider", "PaymentProcessed", true],
  ["merchant", "Cancelled", true],
])("a change by %s to %s says who made it: %s", (by, to, says) => {
  expect(saysWho({ by, to })).toBe(says);
});
