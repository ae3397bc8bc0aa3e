import { expect, test } from "vitest";
import { mismatchKinds } from "./merchant-money.ts";
import { adviceText, happenedText, resolutionText } from "./payment-issue-labels.ts";

test("each kind has one sentence of its own that says what happened, and advice", () => {
  const sentences = mismatchKinds.map((kind) => happenedText({ kind }));
  expect(new Set(sentences).size).toBe(mismatchKinds.length);
  for (const kind of mismatchKinds) {
    expect(happenedText({ kind }), kind).toMatch(/^[A-Z].+\.$/);
    expect(adviceText({ kind, amount: 100 }), kind).toMatch(/^[A-Z].+\.$/);
  }
});

test.each([
  "underpaid",
  "foreign",
  "reused",
  "second",
  "paid-after-cancel",
  "refund-owed",
] as const)("no refund is advised for %s before money has come in", (kind) => {
  expect(adviceText({ kind, amount: 600 })).toMatch(/give/i);
  expect(adviceText({ kind, amount: null })).toMatch(/nothing to (give back|refund)/i);
});

test("the advice tells what is recorded as given back already", () => {
  const advised = (still_owed?: number) =>
    adviceText({ kind: "refund-owed", amount: 1_850, still_owed });
  expect(advised()).toBe("Give the money back to the shopper.");
  expect(advised(1_850)).toBe("Give the money back to the shopper.");
  expect(advised(850)).toBe(
    "$10.00 is recorded as given back already, $8.50 is still to be given back.",
  );
  expect(advised(0)).toMatch(/recorded as given back already: give nothing back again/);
});

test("a resolution says what was done, by whom and why; also of a kind of a newer server", () => {
  const said = { by: "Ada", note: "on Monday" };
  expect(resolutionText({ kind: "given_back", ...said })).toBe(
    "Money given back by Ada: on Monday",
  );
  expect(resolutionText({ kind: "donated", ...said })).toBe("donated by Ada: on Monday");
});
