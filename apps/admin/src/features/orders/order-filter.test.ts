import { expect, test } from "vitest";
import { filterOf, foundText, parametersOf, toggled, withParameters } from "./order-filter.ts";

test("a filter is the same after a round trip through an address", () => {
  const filter = {
    text: "moka pot",
    statuses: ["Pending", "Shipped"],
    from: "2026-11-01",
    to: "2026-11-23",
  } as const;
  expect(filterOf(parametersOf(filter))).toEqual(filter);
});

test("an address without parameters lists all orders", () => {
  const filter = filterOf(new URLSearchParams());
  expect(filter).toEqual({ text: "", statuses: [], from: "", to: "" });
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders");
});

test("invalid values are left out", () => {
  const filter = filterOf(
    new URLSearchParams("status=Lost,&from=yesterday&to=2026-11-23x&q=%20moka%20"),
  );
  expect(parametersOf(filter).toString()).toBe("q=moka");
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders?q=moka");
});

test("statuses are added and removed, in the order of an order's life", () => {
  expect(toggled([], "Shipped")).toEqual(["Shipped"]);
  expect(toggled(["Shipped"], "Pending")).toEqual(["Pending", "Shipped"]);
  expect(toggled(["Pending", "Shipped"], "Shipped")).toEqual(["Pending"]);
  const { statuses } = filterOf(new URLSearchParams("status=Shipped,Pending,Shipped"));
  expect(statuses).toEqual(["Pending", "Shipped"]);
});

test.each([
  [0, false, "0 orders found"],
  [1, false, "1 order found"],
  [50, true, "More than 50 orders found"],
])("%i results, with more: %s, are shown as %s", (count, hasMore, text) => {
  expect(foundText(count, hasMore)).toBe(text);
});
