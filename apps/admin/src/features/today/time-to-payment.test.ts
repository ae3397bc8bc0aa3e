import { expect, test } from "vitest";
import { MINUTE } from "../../lib/format.ts";
import { paymentTimes } from "./time-to-payment.ts";

const bounds = [MINUTE, 5 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE, null];

function bucketsOf(...orders: readonly number[]) {
  return bounds.map((within, index) => ({ within, orders: orders[index] ?? 0 }));
}

test("each row is labelled with its range of times", () => {
  expect(paymentTimes(bucketsOf(4, 3))).toEqual([
    { label: "Up to 1 minute", count: 4 },
    { label: "1 minute to 5 minutes", count: 3 },
    { label: "5 minutes to 1 hour", count: 0 },
    { label: "1 hour to 1 day", count: 0 },
    { label: "1 day to 7 days", count: 0 },
    { label: "More than 7 days", count: 0 },
  ]);
});
