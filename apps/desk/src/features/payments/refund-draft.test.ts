import { expect, test } from "vitest";
import { draftOf, readDraft, stillToRecord } from "./refund-draft.ts";

test("what is still owed of a mismatch is to be recorded, if it was given back", () => {
  expect(stillToRecord("given_back", { still_owed: 250 })).toBe(250);
  expect(stillToRecord("given_back", {})).toBe(0);
  expect(stillToRecord("given_back", undefined)).toBe(0);
  expect(stillToRecord("explained", { still_owed: 250 })).toBe(0);
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
  expect(read).toEqual({
    kind: "refund",
    refund: { amount: cents, method: "cash", reference: "7" },
  });
});

test.each(["", "0", "-1", "1.005", "12,5", "1e2", "NaN"])("%j is no amount", (amount) => {
  expect(readDraft({ amount, method: "cash", reference: "" })).toMatchObject({ field: "amount" });
});

test("a refund says how the money was given back", () => {
  expect(readDraft({ amount: "1", method: " ", reference: "" })).toMatchObject({ field: "method" });
});
