import { expect, test } from "vitest";
import { Refusal } from "../../../platform/refusal.ts";
import type { ItemForSale } from "../../catalogue/index.ts";
import { quote } from "./quote.ts";

const items = new Map<string, ItemForSale>([
  ["mug", { name: "Mug", price: 1_250, stock: null }],
  ["pot", { name: "Pot", price: 4_500, stock: 2 }],
  ["cup", { name: "Cup", price: 100, stock: 0 }],
]);
const lines = (...some: (readonly [id: string, quantity: number])[]) =>
  some.map(([item_id, quantity]) => ({ item_id, quantity }));

test("an order costs the sum of its lines", () => {
  expect(quote(lines(["mug", 3], ["pot", 2]), items, undefined)).toEqual({
    kind: "priced",
    total: 12_750,
    lines: [
      { id: "mug", name: "Mug", price: 1_250, quantity: 3 },
      { id: "pot", name: "Pot", price: 4_500, quantity: 2 },
    ],
  });
  expect(quote(lines(["pot", 2]), items, { total: 9_000 }).kind).toBe("priced");
});

test("items that are not for sale are reported before items with too few pieces left", () => {
  expect(quote(lines(["pot", 3], ["none", 1]), items, undefined)).toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "items.1.item_id" }] },
  });
  expect(quote(lines(["pot", 3], ["mug", 1], ["cup", 1]), items, undefined)).toEqual(
    new Refusal("out_of_stock", {
      items: [
        { item_id: "pot", name: "Pot", left: 2 },
        { item_id: "cup", name: "Cup", left: 0 },
      ],
    }),
  );
});

test.each([8_999, 9_001, 0])(
  "an expected total of %i cents that differs is a changed price",
  (total) => {
    expect(quote(lines(["pot", 2]), items, { total })).toMatchObject({
      code: "price_changed",
      details: { expected_total: total, total: 9_000, items: [] },
    });
  },
);

test("other unit prices are a changed price, even if the total is the same", () => {
  const asked = lines(["mug", 2], ["pot", 1]);
  expect(quote(asked, items, { total: 7_000, prices: [1_000, 5_000] })).toMatchObject({
    code: "price_changed",
    details: {
      expected_total: 7_000,
      total: 7_000,
      lines: [
        { expected_price: 1_000, price: 1_250 },
        { expected_price: 5_000, price: 4_500 },
      ],
    },
  });
  expect(quote(asked, items, { total: 7_000, prices: [1_250, 4_500] }).kind).toBe("priced");
});

test("with an expected total, an item that cannot be bought is a changed price", () => {
  expect(
    quote(lines(["mug", 1], ["cup", 1]), items, { total: 1_250, prices: [1_250, 100] }),
  ).toEqual(
    new Refusal("price_changed", {
      expected_total: 1_250,
      total: 1_250,
      items: [{ item_id: "cup", name: "Cup", left: 0 }],
      lines: [
        {
          item_id: "mug",
          name: "Mug",
          quantity: 1,
          available: 1,
          expected_price: 1_250,
          price: 1_250,
        },
        { item_id: "cup", name: "Cup", quantity: 1, available: 0, expected_price: 100, price: 100 },
      ],
    }),
  );
  expect(quote(lines(["none", 1]), items, { total: 5 })).toMatchObject({
    code: "price_changed",
    details: { total: 0, lines: [{ available: 0, price: null }] },
  });
});
