import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isWebhookEventType } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { payloadOf } from "./payload.ts";

const source = join(import.meta.dirname, "..");
const about = { createdAt: 1_790_000_000_123, attempts: 0, repeats: 0 };

test("every type that the server announces has a documented payload", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(source, file), "utf8"));
  const announced = new Set(
    files.flatMap((text) =>
      [...text.matchAll(/"((?:order|payment_issue|stock|webhook)\.[a-z_]+)"/g)].map(
        ([, type = ""]) => type,
      ),
    ),
  );
  expect(announced.size).toBeGreaterThanOrEqual(12);
  expect([...announced].filter((type) => !isWebhookEventType(type))).toEqual([]);
});

test("a payload has type, time and facts; amounts are dollars", () => {
  const told = { ...about, type: "payment_issue.opened", subject: "o1" };
  const issue = { issue_id: "m1", loan_id: "c1", kind: "underpaid", currency: "USD" };
  const payload = payloadOf({ ...told, data: { ...issue, open_amount: 1_250 } });
  expect(JSON.parse(payload ?? "")).toEqual({
    type: "payment_issue.opened",
    timestamp: "2026-09-21T14:13:20.123Z",
    data: { order_id: "o1", ...issue, open_amount: 12.5 },
  });
});

test.each(["order.refunded", "order.refund_reversed"])("%s has sums in its currency", (type) => {
  const data = { refund_id: "r1", cents: 1_250, currency: "EUR", refund_due: 50 };
  const payload = payloadOf({ ...about, type, subject: "o1", data });
  expect(JSON.parse(payload ?? "").data).toEqual({
    ...{ order_id: "o1", refund_id: "r1" },
    ...{ amount: 12.5, currency: "EUR", refund_due: 0.5 },
  });
});

test("a payment issue without an order says so, and one without a known amount too", () => {
  const issue = { issue_id: "m1", loan_id: "c1", kind: "unrecognized", currency: "USD" };
  const data = { ...issue, open_amount: null };
  const payload = payloadOf({ ...about, type: "payment_issue.opened", subject: "c1", data });
  expect(JSON.parse(payload ?? "").data).toMatchObject({
    order_id: null,
    loan_id: "c1",
    open_amount: null,
  });
});

test("low stock names the item", () => {
  const payload = payloadOf({ ...about, type: "stock.low", subject: "mug", data: { stock: 2 } });
  expect(JSON.parse(payload ?? "").data).toEqual({ item_id: "mug", stock: 2 });
});

test("nothing is sent that is not documented", () => {
  const secret = payloadOf({
    ...about,
    type: "order.placed",
    subject: "o1",
    data: { email: "a@b.example" },
  });
  expect(JSON.parse(secret ?? "").data).toEqual({ order_id: "o1" });
  expect(payloadOf({ ...about, type: "unheard.of", subject: "o1", data: {} })).toBe(undefined);
});
