import { expect, test } from "vitest";
import { acceptedText, isAcceptedAsPaid } from "./orders.ts";

const resolved = (...kinds: string[]) => kinds.map((kind) => ({ resolution: { kind } }));

test.each([
  ["an underpaid loan was accepted", 2_250, resolved("explained", "accepted"), true],
  ["nothing is missing, because the order was cancelled since", 0, resolved("accepted"), false],
  [
    "something is missing that nobody accepted",
    2_250,
    [{ resolution: null }, ...resolved("explained")],
    false,
  ],
])("less than the total is the payment: %s", (_, missing, mismatches, isAccepted) => {
  expect(isAcceptedAsPaid({ ledger: { missing }, mismatches })).toBe(isAccepted);
});

test("what was waived is named", () => {
  expect(acceptedText(2_250)).toBe("Accepted as full payment; $22.50 waived");
});
