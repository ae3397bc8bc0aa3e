import type { PaymentIssue } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { nextSteps } from "./payment-issues.ts";

const underpaid: PaymentIssue = {
  id: "WyJ",
  loan_id: "loan",
  order_id: "0e4b3a51-0000-4000-8000-000000000000",
  order_status: "Pending",
  kind: "underpaid",
  detail: "It lends $6.00; the order comes to $12.00.",
  amount: 600,
  seen_at: 1,
  resolution: null,
};
const steps = (changes: Partial<PaymentIssue>) =>
  nextSteps({ ...underpaid, ...changes }, "0e4b3a51");

test("money whose amount is known is refunded by recording the refund, and can be accepted while the order waits", () => {
  const lines = steps({});
  expect(lines[0]).toBe("A loan lends less than its order costs.");
  expect(lines).toContain('  orders refund 0e4b3a51 6.00 --method "bank transfer"');
  expect(lines.join()).not.toContain("--as refunded");
  expect(lines.filter((line) => line.includes("--as accepted"))).toHaveLength(1);
  expect(steps({ order_status: "Cancelled" }).join()).not.toContain("--as accepted");
});

test("a refund that is recorded is not to be recorded again", () => {
  const refunds = (changes: Partial<PaymentIssue>) =>
    steps(changes).filter((line) => line.includes("orders refund"));
  expect(refunds({ refund_due: 600 })).toEqual([
    '  orders refund 0e4b3a51 6.00 --method "bank transfer"',
  ]);
  expect(refunds({ refund_due: 250 })).toEqual([
    '  orders refund 0e4b3a51 2.50 --method "bank transfer"',
  ]);
  expect(refunds({ refund_due: 0 })).toEqual([]);
  expect(steps({ refund_due: 0 })).toContain(
    '  payment-issues resolve 0e4b3a51 --as refunded --note "transferred on Monday"',
  );
});

test.each([
  ["no order", { order_id: null, order_status: null }],
  ["an order that the shop does not have", { order_status: null }],
])("money that was received for %s has no refund to record", (_, changes) => {
  expect(steps(changes).join("\n")).not.toContain("orders refund");
});

test("before the amount is known no refund is offered, and nothing to be accepted", () => {
  const lines = steps({ amount: null });
  expect(lines[1]).toContain("Nothing to refund.");
  expect(lines.join("\n")).not.toMatch(/orders refund|--as accepted|--as refunded/);
  expect(lines.at(-1)).toContain("--as dismissed");
});
