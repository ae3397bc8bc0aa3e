import { expect, test } from "vitest";
import { deliveryRefetchInterval } from "./deliveries.ts";

function delivery(state: string, next_at: number | null) {
  return {
    id: "1",
    channel: "email-customer",
    target: "a@b.c",
    type: "order.paid",
    subject: "a",
    state,
    attempts: 1,
    answer: null,
    created_at: 0,
    next_at,
    ended_at: null,
  };
}

test("a delivery that is due soon is refetched often, a later one once a minute", () => {
  expect(deliveryRefetchInterval([delivery("waiting", 0)], 1_000)).toBe(3_000);
  expect(deliveryRefetchInterval([delivery("waiting", null)], 1_000)).toBe(3_000);
  expect(
    deliveryRefetchInterval([delivery("waiting", 900_000), delivery("waiting", 31_000)], 1_000),
  ).toBe(3_000);
  expect(deliveryRefetchInterval([delivery("waiting", 500_000)], 1_000)).toBe(60_000);
});

test("deliveries that are not waiting are not refetched", () => {
  expect(deliveryRefetchInterval([delivery("delivered", null), delivery("failed", null)], 0)).toBe(
    false,
  );
  expect(deliveryRefetchInterval([], 0)).toBe(false);
});
