import { expect, test } from "vitest";
import { rereadAfter } from "./deliveries.ts";

function delivery(state: string, next_at: number | null) {
  const told = { channel: "mail-shopper", target: "a@b.c", type: "order.paid", subject: "a" };
  return {
    id: "1",
    ...told,
    state,
    attempts: 1,
    answer: null,
    created_at: 0,
    next_at,
    ended_at: null,
  };
}

test("an order is read again soon while a delivery is near, and once a minute while it is far", () => {
  expect(rereadAfter([delivery("waiting", 0)], 1_000)).toBe(3_000);
  expect(rereadAfter([delivery("waiting", null)], 1_000)).toBe(3_000);
  expect(rereadAfter([delivery("waiting", 900_000), delivery("waiting", 31_000)], 1_000)).toBe(
    3_000,
  );
  expect(rereadAfter([delivery("waiting", 500_000)], 1_000)).toBe(60_000);
});

test("an order of which nothing waits is not read again", () => {
  expect(rereadAfter([delivery("delivered", null), delivery("given-up", null)], 0)).toBe(false);
  expect(rereadAfter([], 0)).toBe(false);
});
