import type { PaymentIssue } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anIssue } from "../../lib/order.test-data.ts";
import { issueFigures } from "./issue-labels.ts";

const balance = {
  currency: "Eur",
  refundable: 720,
  refund_due: 720,
  missing: 0,
  unknown_amount: false,
};
const issue = anIssue({ open_amount: 720, balance });
const figures = (changes: Partial<PaymentIssue>) =>
  issueFigures({ ...issue, ...changes }).map(({ label, cents }) => [label, cents]);

test("the open amount is in the currency of the loan", () => {
  expect(issueFigures(issue)).toEqual([{ label: "Needs a decision", cents: 720, currency: "Eur" }]);
});

test("an unknown amount stays unknown", () => {
  expect(figures({ open_amount: null, balance: { ...balance, refund_due: 0 } })).toEqual([
    ["Needs a decision", null],
  ]);
});

test("the refund due for the order is shown if it is more", () => {
  const more = { ...balance, refund_due: 1_920 };
  expect(figures({ balance: more })).toEqual([
    ["Needs a decision", 720],
    ["Refund due for the order", 1_920],
  ]);
  expect(figures({ balance: more, order_status: null })).toEqual([["Needs a decision", 720]]);
});

test("the refunded and the missing amount are shown", () => {
  const missing = { ...balance, refund_due: 0, missing: 300 };
  expect(figures({ open_amount: 0, refunded_amount: 720, balance: missing })).toEqual([
    ["Refunded", 720],
    ["Missing", 300],
  ]);
});
