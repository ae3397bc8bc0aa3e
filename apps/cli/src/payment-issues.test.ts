import type { PaymentIssue } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { describeIssue, nextSteps } from "./payment-issues.ts";

const balance = {
  currency: "USD",
  refundable: 720,
  refund_due: 0,
  missing: 0,
  unknown_amount: false,
};
const underpaid: PaymentIssue = {
  id: "3f0d7a52-0000-8000-8000-000000000000",
  loan_id: "loan",
  order_id: "0e4b3a51-0000-4000-8000-000000000000",
  order_status: "Pending",
  kind: "underpaid",
  detail: "It lent $7.20; the order comes to $12.00.",
  open_amount: 720,
  refunded_amount: 0,
  balance,
  opened_at: 1,
  resolution: null,
};
const steps = (changes: Partial<PaymentIssue>) =>
  nextSteps({ ...underpaid, ...changes }, "0e4b3a51");

test("money of an order that awaits payment can be refunded or accepted", () => {
  const lines = steps({});
  expect(lines[0]).toBe("A loan lends less than its order costs.");
  expect(lines).toContain('  payment-issues refund 0e4b3a51 7.20 --method "bank transfer"');
  expect(lines.filter((line) => line.includes("--as"))).toEqual([
    '  payment-issues resolve 0e4b3a51 --as accepted --note "agreed on the phone"',
  ]);
});

test("after a part was refunded, the rest is to refund", () => {
  expect(steps({ open_amount: 250, refunded_amount: 470 })).toContain(
    '  payment-issues refund 0e4b3a51 2.50 --method "bank transfer"',
  );
  const lines = steps({ open_amount: 0, refunded_amount: 720 }).join("\n");
  expect(lines).toContain("--as refunded");
  expect(lines).not.toContain("payment-issues refund");
});

test("of an unknown amount the refund names the amount, and it can be written off", () => {
  const lines = steps({ open_amount: null }).join("\n");
  expect(lines).toContain("payment-issues refund 0e4b3a51 AMOUNT");
  expect(lines).toContain("--as written-off");
});

test("without money a payment issue can only be dismissed", () => {
  const lines = steps({ open_amount: 0 });
  expect(lines[1]).toContain("Nothing to refund.");
  expect(lines.slice(2)).toEqual([
    '  payment-issues resolve 0e4b3a51 --as dismissed --note "asked the provider"',
  ]);
});

test("a resolved payment issue can be reopened, except after a refund", () => {
  const resolution = { kind: "accepted", note: "", by: "Ada", at: 1 };
  expect(steps({ resolution })).toEqual([
    '  payment-issues reopen 0e4b3a51 --note "it was a mistake"',
  ]);
  expect(steps({ resolution: { ...resolution, kind: "refunded" } })).toEqual([]);
});

test.each([
  [{}, "to decide $7.20"],
  [{ open_amount: null }, "to decide unknown"],
  [{ balance: { ...balance, currency: "EUR" } }, "to decide 7.20 EUR"],
  [
    { open_amount: 0, refunded_amount: 720, balance: { ...balance, missing: 100 } },
    "refunded $7.20, missing $1.00",
  ],
  [{ open_amount: 0 }, "none"],
])("the money of a payment issue with %j is %j", (changes, text) => {
  const lines = describeIssue({ ...underpaid, ...changes }, 80).split("\n");
  expect(lines).toContain(`Money     ${text}`);
});
