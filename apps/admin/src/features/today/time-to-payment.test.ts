import { expect, test } from "vitest";
import { MINUTE } from "../../lib/format.ts";
import { medianPaymentText, paymentTimeRows } from "./time-to-payment.ts";

const bounds = [MINUTE, 5 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE, null];

function bucketsOf(...orders: readonly number[]) {
  return bounds.map((within, index) => ({ within, orders: orders[index] ?? 0 }));
}

test("each row is labelled with its range of times", () => {
  expect(paymentTimeRows(bucketsOf(4, 3))).toEqual([
    { label: "up to 1 minute", orders: 4 },
    { label: "1 minute to 5 minutes", orders: 3 },
    { label: "5 minutes to 1 hour", orders: 0 },
    { label: "1 hour to 1 day", orders: 0 },
    { label: "1 day to 7 days", orders: 0 },
    { label: "more than 7 days", orders: 0 },
  ]);
});

test.each([
  [[4, 3, 0, 0], "Half of the payments came within 1 minute."],
  [[3, 3, 0, 0], "Half of the payments came within 1 minute."],
  [[4], "All payments came within 1 minute."],
  [[0, 2, 0, 0], "All payments came within 5 minutes."],
  [[1, 2, 0, 0], "All payments came within 5 minutes."],
  [[1, 1, 1, 0], "Half of the payments came within 5 minutes."],
  [[0, 0, 0, 1, 0, 1], "Half of the payments came within 1 day."],
  [[1, 0, 0, 0, 0, 2], "More than half of the payments took more than 7 days."],
])("the median of %j", (orders, text) => {
  expect(medianPaymentText(bucketsOf(...orders))).toBe(text);
});

test("without paid orders there is no median", () => {
  expect(medianPaymentText(bucketsOf())).toBeUndefined();
  expect(medianPaymentText([])).toBeUndefined();
});
