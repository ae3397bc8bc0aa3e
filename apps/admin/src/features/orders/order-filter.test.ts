import { expect, test } from "vitest";
import { withParameters } from "../../lib/parameters.ts";
import {
  filterOf,
  foundText,
  parametersOf,
  requestOf,
  sortingOf,
  sortOf,
  toggled,
} from "./order-filter.ts";

test("a filter is the same after a round trip through an address", () => {
  const filter = {
    text: "moka pot",
    statuses: ["Pending", "Shipped"],
    from: "2026-11-01",
    to: "2026-11-23",
    sort: "oldest",
  } as const;
  expect(filterOf(parametersOf(filter))).toEqual(filter);
});

test("an address without parameters lists all orders", () => {
  const filter = filterOf(new URLSearchParams());
  expect(filter).toEqual({ text: "", statuses: [], from: "", to: "", sort: "" });
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders");
});

test("invalid values are left out", () => {
  const filter = filterOf(
    new URLSearchParams("status=Lost,&from=yesterday&to=2026-11-23x&q=%20moka%20"),
  );
  expect(parametersOf(filter).toString()).toBe("q=moka");
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders?q=moka");
});

test("orders to ship are sorted oldest first unless staff choose otherwise", () => {
  const request = (address: string) => requestOf(filterOf(new URLSearchParams(address))).toString();
  expect(request("status=PaymentProcessed")).toBe("status=PaymentProcessed&sort=oldest");
  expect(request("status=PaymentProcessed&sort=newest")).toBe("status=PaymentProcessed");
  expect(request("status=PaymentProcessed,Shipped")).toBe("status=PaymentProcessed%2CShipped");
  expect(request("sort=oldest")).toBe("sort=oldest");
  expect(sortingOf(filterOf(new URLSearchParams("sort=up")))).toBe("newest");
  const toShip = filterOf(new URLSearchParams("status=PaymentProcessed&sort=newest"));
  expect([sortOf(toShip, "oldest"), sortOf(toShip, "newest")]).toEqual(["", "newest"]);
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
