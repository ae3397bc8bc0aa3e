import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { logMessage, parseWidgetMessage, widgetUrl } from "./widget-protocol.ts";

test("the parameters of the pop-up are encoded, and the amount has two decimals", () => {
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

const text = fc.oneof(
  fc.constantFrom("success", "cancelled", "error", "done", "", "__proto__"),
  fc.string({ unit: "binary" }),
);
const value = fc.oneof(
  text,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
);

/** Messages of a hostile window: any data that can be cloned, often similar to a real message. */
const hostile = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
  }),
  fc.record(
    { status: value, contractId: value, reason: value, code: value, message: value },
    { requiredKeys: [] },
  ),
  fc.dictionary(text, value),
);

test("any data is parsed to a complete message or undefined, without an exception", () => {
  fc.assert(
    fc.property(hostile, (data) => {
      const message = parseWidgetMessage(data);
      if (message === undefined) return;
      expect(["success", "cancelled", "error", "done"]).toContain(message.status);
      if (message.status !== "success") return;
      expect(typeof message.contractId).toBe("string");
      expect(message.contractId.length).toBeGreaterThan(0);
      expect(message.contractId.length).toBeLessThanOrEqual(200);
    }),
    { numRuns: 3_200 },
  );
});

test.each([
  [
    { status: "error", code: 500, message: null },
    "warn",
    "Payment error",
    { code: 500, message: null },
  ],
  [{ status: "error", error: { code: 7 } }, "warn", "Payment error", { error: { code: 7 } }],
  [
    { status: "error", code: "x", message: "y", more: 1 },
    "warn",
    "Payment error",
    { code: "x", message: "y" },
  ],
  [{ status: "cancelled", reason: null }, "info", "Payment cancelled", { reason: null }],
  [{ status: "cancelled" }, "info", "Payment cancelled", { reason: undefined }],
] as const)("%j is logged with its details", (data, level, title, details) => {
  const log = vi.spyOn(console, level).mockImplementation(() => {});
  const message = parseWidgetMessage(data);
  if (message !== undefined) logMessage(message);
  expect(log.mock.calls).toEqual([[title, details]]);
});

test("a loan's id may have the maximum length of the order stream, but not more", () => {
  const success = (length: number) => ({ status: "success", contractId: "c".repeat(length) });
  expect(parseWidgetMessage(success(200))).toEqual(success(200));
  expect(parseWidgetMessage(success(201))).toBeUndefined();
});
