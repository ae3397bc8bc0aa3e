import type { AdminOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { anIssue, anOrder, emptyLedger } from "../lib/order.test-data.ts";
import {
  amountLabel,
  refundSchema,
  refundStateOf,
  refundValues,
  targetOfIssue,
} from "./refunds.ts";

const typed = { ...refundValues(1_250), method: "cash" };

test("a refund starts with its amount", () => {
  expect(refundSchema.parse(refundValues(123_450))).toEqual({
    amount: 123_450,
    kind: "return",
    method: "bank transfer",
  });
});

test("an unknown amount starts empty", () => {
  expect(refundValues(null).amount).toBe("");
});

test.each([
  ["$12.50", 1_250],
  ["1,234.50", 123_450],
  [" 12 ", 1_200],
  ["5,00", 500],
])("%j is an amount", (amount, cents) => {
  expect(refundSchema.parse({ ...typed, amount, reference: " 7 " })).toEqual({
    amount: cents,
    kind: "return",
    method: "cash",
    reference: "7",
  });
});

test.each(["", "0", "-1", "1.005", "1,2,3", "1e2", "NaN"])("%j is not an amount", (amount) => {
  const { error } = refundSchema.safeParse({ ...typed, amount });
  expect(error?.issues).toMatchObject([
    { path: ["amount"], message: "Enter an amount such as 12.50" },
  ]);
});

test("a refund requires a method", () => {
  const { error } = refundSchema.safeParse({ ...typed, method: " " });
  expect(error?.issues).toMatchObject([{ path: ["method"] }]);
});

test("staff must choose the kind of a granted refund, unless it is of a return", () => {
  const grant = { most: 4_500, lines: [] };
  const { error } = refundSchema.safeParse(refundValues(1_250, grant));
  expect(error?.issues).toMatchObject([{ path: ["kind"], message: "Choose a kind." }]);
  expect(refundValues(1_250, { ...grant, returnId: "return" }).kind).toBe("return");
});

test("the label of the amount names its currency", () => {
  expect(amountLabel("USD")).toBe("Amount in dollars");
  expect(amountLabel("Eur")).toBe("Amount in EUR");
});

const issue = anIssue({ id: "duplicate" });
const ledger = {
  ...emptyLedger,
  received: 9_000,
  kept: 4_500,
  refundable: 4_500,
  refund_due: 4_500,
};
const targets = (changes: Partial<AdminOrder>) =>
  refundStateOf(anOrder({ status: "Delivered", ledger, ...changes })).targets;

test("the money of a payment issue is refunded for it, in its currency", () => {
  expect(targets({ payment_issues: [issue] })).toEqual([
    {
      refundsPath: "/api/admin/payment-issues/duplicate/refunds",
      label: "$45.00 of loan loan",
      currency: "USD",
      amount: 4_500,
    },
  ]);
});

test("money that no payment issue is about is refunded for the order", () => {
  const euros = { ...ledger, currency: "Eur", refundable: 1_200 };
  const found = targets({
    payment_issues: [{ ...issue, open_amount: 4_000 }],
    ledger: { ...ledger, other_currencies: [euros] },
  });
  expect(found.map(({ label }) => label)).toEqual([
    "$40.00 of loan loan",
    "$5.00 without a payment issue",
    "12.00 EUR without a payment issue",
  ]);
});

test("money of the price is offered once nothing is due", () => {
  const paid = { ...ledger, kept: 4_500, refundable: 0, refund_due: 0, grantable: 4_500 };
  expect(targets({ ledger: paid })).toMatchObject([
    { refundsPath: "/api/admin/orders/order/refunds", amount: 4_500, grant: { most: 4_500 } },
  ]);
  expect(targets({ ledger: { ...paid, refundable: 500 } })).toMatchObject([{ amount: 500 }]);
});

test("an unknown amount can be refunded, a resolved payment issue cannot", () => {
  expect(targetOfIssue({ ...issue, open_amount: null })).toMatchObject({
    label: "Unknown amount of loan loan",
    amount: null,
  });
  const resolution = { kind: "refunded", note: "", by: "Ada", at: 1 };
  expect(targetOfIssue({ ...issue, resolution })).toBeUndefined();
  expect(targetOfIssue({ ...issue, open_amount: 0 })).toBeUndefined();
});
