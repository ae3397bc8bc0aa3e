import { expect, test } from "vitest";
import { formatOrderNumber, orderName, parseOrderNumber } from "./order-number.ts";

test("an order number has a prefix and no grouping, so that people can read it out", () => {
  expect(formatOrderNumber(10_023)).toBe("K-10023");
  expect(formatOrderNumber(1_000_000_001)).toBe("K-1000000001");
});

test.each(["K-10023", "k10023", "10023", "#K-10023", " k-10023 ", "010023"])(
  "%j is read as an order number",
  (text) => expect(parseOrderNumber(text)).toBe(10_023),
);

test.each(["", "K", "K-", "K--10023", "10 023", "10,023", "K-10023a", "1e5", "9".repeat(16)])(
  "%j is not read as an order number",
  (text) => expect(parseOrderNumber(text)).toBeUndefined(),
);

test("an order without a number is called by the beginning of its id", () => {
  const id = "0123abcd-0000-4000-8000-000000000001";
  expect(orderName({ id, number: "K-10023" })).toBe("K-10023");
  expect(orderName({ id })).toBe("0123abcd");
});
