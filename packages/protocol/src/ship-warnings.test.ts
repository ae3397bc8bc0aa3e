import { expect, test } from "vitest";
import { shipWarnings } from "./ship-warnings.ts";

type Order = Parameters<typeof shipWarnings>[0];
const dispute: NonNullable<Order["payment_issues"]>[number] = {
  kind: "disputed",
  detail: "DisputeStarted",
  resolution: null,
};
const change: Order["events"][number] = {
  kind: "address-corrected",
  to: "PaymentProcessed",
  by: "customer",
  by_name: null,
};
const warnings = (changes: Partial<Order>) =>
  shipWarnings({ payment_issues: [], events: [], ...changes });

test("an order without an open dispute or change has no warning", () => {
  const resolution = { kind: "dismissed", note: "", by: "Ada", at: 1 };
  const harmless: Order = {
    payment_issues: [
      { ...dispute, resolution },
      { ...dispute, kind: "duplicate" },
    ],
    events: [{ ...change, to: "Pending" }],
  };
  expect(shipWarnings(harmless)).toEqual({ texts: [], hasIssue: false });
});

test("an open dispute, and a loan that was changed after its payout, are warnings", () => {
  const changed = { ...dispute, kind: "changed-after-payout", detail: "It was reversed." } as const;
  const { texts, hasIssue } = warnings({ payment_issues: [dispute, changed] });
  expect(texts).toEqual([
    "The loan provider reports a dispute about a loan. DisputeStarted",
    "A loan was changed at the provider after it paid an order. It was reversed.",
  ]);
  expect(hasIssue).toBe(true);
});

test.each([
  ["the customer", change],
  ["Ada", { ...change, by: "staff", by_name: "Ada" }],
])("a change of the address of a paid order by %s is a warning", (by, event) => {
  expect(warnings({ events: [event] })).toEqual({
    texts: [`The shipping address was changed after the payment, by ${by}. Check it.`],
    hasIssue: false,
  });
});
