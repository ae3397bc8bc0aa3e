import { expect, test } from "vitest";
import { filterOf, parametersOf, withParameters } from "./order-filter.ts";

test("a filter survives the way into an address and back", () => {
  const filter = { text: "moka pot", status: "Shipped", from: "2026-11-01", to: "2026-11-23" } as const;
  expect(filterOf(parametersOf(filter))).toEqual(filter);
});

test("an address without parameters lists all orders", () => {
  const filter = filterOf(new URLSearchParams());
  expect(filter).toEqual({ text: "", status: undefined, from: "", to: "" });
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders");
});

test("what the shop would refuse is left out", () => {
  const filter = filterOf(new URLSearchParams("status=Lost&from=yesterday&to=2026-11-23x&q=%20moka%20"));
  expect(parametersOf(filter).toString()).toBe("q=moka");
  expect(withParameters("/orders", parametersOf(filter))).toBe("/orders?q=moka");
});
