import { expect, test } from "vitest";
import { currency } from "./currency.ts";

test("the shop sells for US dollars", () => {
  expect(currency).toEqual({ code: "USD", symbol: "$", plural: "dollars", singular: "dollar" });
});
