import type { PaymentIssue } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { openIssues } from "./open-issues.ts";

const issue = (kind: PaymentIssue["kind"], changes: Partial<PaymentIssue> = {}): PaymentIssue => ({
  ...{ id: kind, loan_id: "c", order_id: "o", order_status: "Cancelled", kind, detail: "" },
  ...{ amount: 4_500, seen_at: 0, resolution: null },
  ...changes,
});

test.each([
  ["no issue", [], undefined, undefined],
  ["a refund that is due", [issue("paid-after-cancel")], undefined, "Refund due: $45.00."],
  ["a dispute", [issue("disputed")], "1 payment issue.", undefined],
  [
    "both",
    [issue("disputed"), issue("duplicate"), issue("paid-after-cancel")],
    "2 payment issues.",
    "Refund due: $45.00.",
  ],
  [
    "a payout of unknown amount after the cancellation",
    [issue("paid-after-cancel", { amount: null })],
    "1 payment issue.",
    undefined,
  ],
  [
    "a refund that was recorded",
    [
      issue("paid-after-cancel", {
        resolution: { kind: "refunded", note: "", by: "Ada", at: 1 },
      }),
    ],
    undefined,
    undefined,
  ],
])("an order with %s says so", (_, payment_issues, issues, refund) => {
  expect(openIssues({ payment_issues, ledger: { refund_due: 4_500 } })).toEqual({
    issues,
    refund,
  });
});
