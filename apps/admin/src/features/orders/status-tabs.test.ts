import { expect, test } from "vitest";
import { countOf, countText } from "./status-tabs.tsx";

const counts = new Map([
  ["Pending", { orders: 3, more: false }],
  ["Shipped", { orders: 500, more: true }],
]);

test.each([
  [["Pending"], "3"],
  [["Shipped"], "500+"],
  [["Pending", "Shipped"], "503+"],
  [[], "503+"],
  [["Delivered"], "0"],
])("the orders with a status of %j are counted as %j", (statuses, text) => {
  const count = countOf(counts, statuses);
  expect(count && countText(count)).toBe(text);
});

test("a count that ended before the first order has no text", () => {
  expect(countText({ orders: 0, more: true })).toBe("");
  expect(countText({ orders: 12_345, more: false })).toBe("12,345");
});
