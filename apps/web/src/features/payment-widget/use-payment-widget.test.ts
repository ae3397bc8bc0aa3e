import { expect, test } from "vitest";
import { widgetUrl } from "./use-payment-widget.ts";
import { parseWidgetMessage } from "./widget-messages.ts";

test("the parameters are encoded, and the amount has two decimals", () => {
  const inputs = { amount: 1_250, lenderId: "a&b=c", orderId: "o", inviteCode: "be ta" };
  expect(widgetUrl(inputs, "https://test.example").href).toBe(
    "https://test.example/?amount=12.50&lender_id=a%26b%3Dc&order_id=o&code=be+ta",
  );
});

test.each([
  [
    { status: "success", contractId: "c", more: 1 },
    { status: "success", contractId: "c" },
  ],
  [{ status: "cancelled" }, { status: "cancelled" }],
  [
    { status: "error", code: "x", message: "y" },
    { status: "error", code: "x", message: "y" },
  ],
  [{ status: "done" }, { status: "done" }],
  [{ status: "success" }, undefined],
  [{ status: "other" }, undefined],
  ["done", undefined],
  [null, undefined],
])("%j is parsed to %j", (data, message) => {
  expect(parseWidgetMessage(data)).toEqual(message);
});
