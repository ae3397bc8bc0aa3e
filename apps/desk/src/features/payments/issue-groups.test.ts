import type { PaymentIssue } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { groupIssues } from "./issue-groups.ts";

const withMoney: PaymentIssue = {
  ...{ id: "with money", loan_id: "loan", order_id: "unknown", order_status: null },
  ...{ kind: "unknown-order", detail: "It was paid out.", amount: 2_400, seen_at: 2 },
  resolution: null,
};
const withoutMoney: PaymentIssue = {
  ...{ ...withMoney, id: "without money", order_id: "order", order_status: "Pending" },
  ...{ detail: "It names another order.", amount: null },
};
const resolution = { kind: "dismissed", note: "", by: "Ada", at: 3 };
const grouped = (...issues: PaymentIssue[]) =>
  groupIssues(issues).map(({ issue, related }) => [issue.id, related.map(({ id }) => id)]);

test("a loan that was presented for an order and paid out for another is one group", () => {
  expect(grouped(withoutMoney, withMoney)).toEqual([["with money", ["without money"]]]);
  expect(grouped(withMoney, withoutMoney)).toEqual([["with money", ["without money"]]]);
});

test.each([
  ["before the money was received", [withoutMoney]],
  ["of another loan", [{ ...withoutMoney, loan_id: "other" }, withMoney]],
  ["once the money is resolved", [withoutMoney, { ...withMoney, resolution }]],
  ["of another kind", [{ ...withoutMoney, kind: "disputed" as const }, withMoney]],
])("a payment issue without an amount is a group of its own: %s", (_, issues) => {
  expect(grouped(...issues)).toEqual(issues.map(({ id }) => [id, []]));
});
