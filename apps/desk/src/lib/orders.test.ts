import { expect, test } from "vitest";
import { acceptedText, isAcceptedAsPaid } from "./orders.ts";

const resolved = (...kinds: string[]) => kinds.map((kind) => ({ resolution: { kind } }));

test.each([
  ["an underpaid loan was accepted", 2_250, resolved("dismissed", "accepted"), true],
  ["nothing is missing, because the order was cancelled since", 0, resolved("accepted"), false],
  [
    "money is missing and was not accepted",
    2_250,
    [{ resolution: null }, ...resolved("dismissed")],
    false,
  ],
])("less than the total is accepted as payment: %s", (_, missing, payment_issues, isAccepted) => {
  expect(isAcceptedAsPaid({ ledger: { missing }, payment_issues })).toBe(isAccepted);
});

test("the waived amount is named", () => {
  expect(acceptedText(2_250)).toBe("Accepted as full payment; $22.50 waived");
});
