import { expect, test } from "vitest";
import * as z from "zod/mini";
import { adviceText, happenedText, resolutionText } from "./payment-issue-labels.ts";
import { issueKinds, paymentIssueSchema } from "./payment-issues.ts";

const noMoney = { open_amount: 0, refunded_amount: 0, balance: { currency: "USD", missing: 0 } };

test("each kind has its own sentence about what happened, and advice", () => {
  const sentences = issueKinds.map((kind) => happenedText({ kind }));
  expect(new Set(sentences).size).toBe(issueKinds.length);
  for (const kind of issueKinds) {
    expect(happenedText({ kind }), kind).toMatch(/^[A-Z].+\.$/);
    expect(adviceText({ ...noMoney, kind, open_amount: 100 }), kind).toMatch(/^[A-Z].+\.$/);
  }
});

test("the sentence of an overpayment also fits a granted refund that did not arrive", () => {
  expect(happenedText({ kind: "overpaid" })).toBe("Money of a paid order is due to be refunded.");
});

test.each(["underpaid", "unknown-order", "duplicate", "paid-after-cancel"] as const)(
  "no refund is advised for %s before money was received",
  (kind) => {
    expect(adviceText({ ...noMoney, kind, open_amount: 600 })).toMatch(/refund/i);
    expect(adviceText({ ...noMoney, kind })).toMatch(/nothing to refund/i);
  },
);

test("a payment issue of a newer server is read, and described by its kind", () => {
  const { kind } = paymentIssueSchema.shape;
  expect(z.safeParse(kind, "stolen").success).toBe(true);
  expect(happenedText({ kind: "stolen" })).toBe("stolen");
  expect(adviceText({ ...noMoney, kind: "stolen" })).toMatch(/ask the loan provider/i);
});

test("the advice says how much has already been refunded", () => {
  const advised = (open_amount: number, refunded_amount: number) =>
    adviceText({ ...noMoney, kind: "paid-after-cancel", open_amount, refunded_amount });
  expect(advised(1_850, 0)).toBe(
    "Refund the money, or keep it if the customer agrees. The order stays cancelled.",
  );
  expect(advised(850, 1_000)).toBe("$10.00 has already been refunded. $8.50 is left.");
  expect(advised(0, 1_850)).toMatch(/has already been refunded.+do not refund it again/);
});

test("the advice about an unknown amount is to ask the provider", () => {
  const advice = adviceText({ ...noMoney, kind: "underpaid", open_amount: null });
  expect(advice).toMatch(/ask it how much/i);
});

test("the advice about a reversed payout says what is missing", () => {
  const balance = { currency: "EUR", missing: 123_450 };
  expect(adviceText({ ...noMoney, kind: "changed-after-payout", balance })).toContain(
    "1,234.50 EUR is missing",
  );
});

test("a resolution says how, by whom and why; also with a kind of a newer server", () => {
  const said = { by: "Ada", note: "on Monday" };
  expect(resolutionText({ kind: "refunded", ...said })).toBe("Refunded by Ada: on Monday");
  expect(resolutionText({ kind: "donated", ...said })).toBe("donated by Ada: on Monday");
});
