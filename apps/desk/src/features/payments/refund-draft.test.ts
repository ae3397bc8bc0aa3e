import { expect, test } from "vitest";
import { draftOf, readDraft, stillToRecord } from "./refund-draft.ts";

test("what is still to be recorded is the mismatch's money, or less if a part is recorded already", () => {
  expect(stillToRecord({ amount: 600 }, 1_800)).toBe(600);
  expect(stillToRecord({ amount: 600 }, 250)).toBe(250);
  expect(stillToRecord({ amount: 600 }, 0)).toBe(0);
  expect(stillToRecord({ amount: null }, 1_800)).toBe(0);
});

test("a draft of an amount reads as this amount", () => {
  expect(readDraft(draftOf(123_450))).toEqual({
    kind: "refund",
    refund: { amount: 123_450, method: "bank transfer" },
  });
});

test.each([
  ["$12.50", 1_250],
  ["1,234.50", 123_450],
  [" 12 ", 1_200],
])("%j is an amount", (amount, cents) => {
  const read = readDraft({ amount, method: "cash", reference: " 7 " });
  expect(read).toEqual({ kind: "refund", refund: { amount: cents, method: "cash", reference: "7" } });
});

test.each(["", "0", "-1", "1.005", "12,5", "1e2", "NaN"])("%j is no amount", (amount) => {
  expect(readDraft({ amount, method: "cash", reference: "" })).toMatchObject({ field: "amount" });
});

test("a refund says how the money was given back", () => {
  expect(readDraft({ amount: "1", method: " ", reference: "" })).toMatchObject({ field: "method" });
});
