import { expect, test } from "vitest";
import { payloadOf } from "./message.ts";

const delivery = { createdAt: 1_790_000_000_123 };

test("a payload has type, time and data; amounts are dollars", () => {
  const event = { ...delivery, type: "payment_issue.opened", subject: "o1" };
  const issue = { issue_id: "m1", loan_id: "c1", kind: "underpaid", currency: "USD" };
  const payload = payloadOf({ ...event, data: { ...issue, open_amount: 1_250 } });
  expect(JSON.parse(payload ?? "")).toEqual({
    type: "payment_issue.opened",
    timestamp: "2026-09-21T14:13:20.123Z",
    data: { order_id: "o1", ...issue, open_amount: 12.5 },
  });
});

test.each(["order.refunded", "order.refund_reversed"])("%s has sums in its currency", (type) => {
  const data = { refund_id: "r1", cents: 1_250, currency: "EUR", refund_due: 50 };
  const payload = payloadOf({ ...delivery, type, subject: "o1", data });
  expect(JSON.parse(payload ?? "").data).toEqual({
    order_id: "o1",
    refund_id: "r1",
    amount: 12.5,
    currency: "EUR",
    refund_due: 0.5,
  });
});

test("a payment issue without an order or a known amount has null", () => {
  const issue = { issue_id: "m1", loan_id: "c1", kind: "unrecognized", currency: "USD" };
  const data = { ...issue, open_amount: null };
  const payload = payloadOf({ ...delivery, type: "payment_issue.opened", subject: "c1", data });
  expect(JSON.parse(payload ?? "").data).toMatchObject({
    order_id: null,
    loan_id: "c1",
    open_amount: null,
  });
});

test("an event about an order has its number beside its id", () => {
  const event = { ...delivery, type: "order.placed", subject: "o1", data: {} };
  expect(JSON.parse(payloadOf(event, "K-10023") ?? "").data).toEqual({
    order_id: "o1",
    order_number: "K-10023",
  });
});

test("low stock names the item", () => {
  const payload = payloadOf({ ...delivery, type: "stock.low", subject: "mug", data: { stock: 2 } });
  expect(JSON.parse(payload ?? "").data).toEqual({ item_id: "mug", stock: 2 });
});

test("undocumented fields and types are not sent", () => {
  const secret = payloadOf({
    ...delivery,
    type: "order.placed",
    subject: "o1",
    data: { email: "a@b.example" },
  });
  expect(JSON.parse(secret ?? "").data).toEqual({ order_id: "o1" });
  expect(payloadOf({ ...delivery, type: "unheard.of", subject: "o1", data: {} })).toBe(undefined);
});
