import { expect, test } from "vitest";
import { issueKinds } from "./merchant-money.ts";
import { adviceText, happenedText, resolutionText } from "./payment-issue-labels.ts";

test("each kind has one sentence of its own that says what happened, and advice", () => {
  const sentences = issueKinds.map((kind) => happenedText({ kind }));
  expect(new Set(sentences).size).toBe(issueKinds.length);
  for (const kind of issueKinds) {
    expect(happenedText({ kind }), kind).toMatch(/^[A-Z].+\.$/);
    expect(adviceText({ kind, amount: 100 }), kind).toMatch(/^[A-Z].+\.$/);
  }
});

test.each(["underpaid", "unknown-order", "duplicate", "paid-after-cancel"] as const)(
  "no refund is advised for %s before money was received",
  (kind) => {
    expect(adviceText({ kind, amount: 600 })).toMatch(/refund/i);
    expect(adviceText({ kind, amount: null })).toMatch(/nothing to refund/i);
  },
);

test("the advice says how much was refunded already", () => {
  const advised = (refund_due?: number) =>
    adviceText({ kind: "paid-after-cancel", amount: 1_850, refund_due });
  expect(advised()).toBe("Refund the money: a cancelled order stays cancelled.");
  expect(advised(1_850)).toBe("Refund the money: a cancelled order stays cancelled.");
  expect(advised(850)).toBe("$10.00 was refunded already. Refund due: $8.50.");
  expect(advised(0)).toMatch(/was refunded already.+do not refund it again/);
});

test("a resolution says what was done, by whom and why; also of a kind of a newer server", () => {
  const said = { by: "Ada", note: "on Monday" };
  expect(resolutionText({ kind: "refunded", ...said })).toBe("Refunded by Ada: on Monday");
  expect(resolutionText({ kind: "donated", ...said })).toBe("donated by Ada: on Monday");
});
