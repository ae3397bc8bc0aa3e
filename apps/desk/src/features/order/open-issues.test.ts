import { expect, test } from "vitest";
import { openIssues } from "./open-issues.ts";

type Issue = Parameters<typeof openIssues>[0]["payment_issues"][number];
const issue = (kind: Issue["kind"], open_amount: number | null = 4_500): Issue => ({
  ...{ kind, open_amount, resolution: null },
});
const resolved = {
  ...issue("disputed", 0),
  resolution: { kind: "dismissed", note: "", by: "Ada", at: 1 },
};
const noMoney = {
  ...{ received: 4_500, refunded: 0, kept: 0, refundable: 0, refund_due: 0 },
  other_currencies: [],
};
const due = { ...noMoney, refundable: 4_500, refund_due: 4_500 };
const dueToo = {
  ...due,
  other_currencies: [
    {
      currency: "Eur",
      received: 1_200,
      refunded: 0,
      kept: 0,
      refundable: 1_200,
      refund_due: 1_200,
    },
  ],
};

test.each([
  ["no issue", [], noMoney, undefined, undefined],
  ["a resolved issue", [resolved], noMoney, undefined, undefined],
  ["a refund that is due", [issue("paid-after-cancel")], due, undefined, "Refund due: $45.00."],
  ["a dispute", [issue("disputed", 0)], noMoney, "1 payment issue.", undefined],
  [
    "a dispute, a duplicate, and refunds in two currencies",
    [issue("disputed", 0), issue("duplicate")],
    dueToo,
    "2 payment issues.",
    "Refund due: $45.00 and 12.00 Eur.",
  ],
  [
    "a payout of unknown amount after the cancellation",
    [issue("paid-after-cancel", null)],
    noMoney,
    "1 payment issue.",
    undefined,
  ],
])("an order with %s says so", (_, payment_issues, ledger, issues, refund) => {
  expect(openIssues({ payment_issues, ledger })).toEqual({ issues, refund });
});
