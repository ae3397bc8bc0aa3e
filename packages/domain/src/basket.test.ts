import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addItem,
  type Basket,
  basketCount,
  basketTotal,
  MAX_LINES,
  MAX_QUANTITY,
  parseQuantity,
  removeItem,
  restoreLine,
  setQuantity,
} from "./basket.ts";

const item = (id: string, price = 100) => ({ id, name: `Item ${id}`, price });

const step = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    id: fc.constantFrom("a", "b", "c"),
    price: fc.integer({ min: 0, max: 1e8 }),
  }),
  fc.record({ kind: fc.constant("remove" as const), id: fc.constantFrom("a", "b", "c") }),
  fc.record({
    kind: fc.constant("set" as const),
    id: fc.constantFrom("a", "b", "c"),
    quantity: fc.integer({ min: -5, max: 20_000 }),
  }),
);

test("after any actions, lines are unique, quantities are 1 to 9,999, and the total is the sum of the lines", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      let basket: Basket = [];
      for (const action of steps) {
        if (action.kind === "add") basket = addItem(basket, item(action.id, action.price));
        else if (action.kind === "remove") basket = removeItem(basket, action.id);
        else basket = setQuantity(basket, action.id, action.quantity);
      }
      expect(new Set(basket.map(({ id }) => id)).size).toBe(basket.length);
      for (const { quantity } of basket) {
        expect(quantity).toBeGreaterThanOrEqual(1);
        expect(quantity).toBeLessThanOrEqual(MAX_QUANTITY);
      }
      expect(basketTotal(basket)).toBe(
        basket.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
      );
      expect(Number.isSafeInteger(basketTotal(basket))).toBe(true);
      expect(basketCount(basket)).toBe(basket.reduce((sum, { quantity }) => sum + quantity, 0));
    }),
  );
});

describe("adding", () => {
  test("a new item appends a line with quantity 1", () => {
    expect(addItem([], item("a"))).toEqual([{ ...item("a"), quantity: 1 }]);
  });
  test("an item that is in the basket gets its quantity increased by 1 and keeps its place", () => {
    const basket = [item("a"), item("b")].reduce<Basket>(addItem, []);
    expect(addItem(basket, item("a")).map(({ id, quantity }) => [id, quantity])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });
  test("a basket with the maximum of lines takes no further item", () => {
    const full = Array.from({ length: MAX_LINES + 5 }, (_, index) =>
      item(String(index)),
    ).reduce<Basket>(addItem, []);
    expect(full).toHaveLength(MAX_LINES);
  });
});

test.each([0, -1])("setting the quantity to %i removes the line", (quantity) => {
  expect(setQuantity(addItem([], item("a")), "a", quantity)).toEqual([]);
});

test.each([
  ["12", 12],
  ["0", 0],
  ["-3", -3],
  ["7.9", 7],
  ["0x10", 0],
  ["", undefined],
  ["abc", undefined],
  ["e", undefined],
  ["99999999999999999999", undefined],
])("the typed text %j is parsed as %s", (text, quantity) => {
  expect(parseQuantity(text)).toBe(quantity);
});

test("setting the present quantity, or adding to the maximum, returns the same basket object", () => {
  const basket = setQuantity(addItem([], item("mug")), "mug", MAX_QUANTITY);
  expect(setQuantity(basket, "mug", MAX_QUANTITY)).toBe(basket);
  expect(setQuantity(basket, "mug", MAX_QUANTITY + 1)).toBe(basket);
  expect(addItem(basket, item("mug"))).toBe(basket);
});

describe("restoreLine", () => {
  const basket = ["a", "b", "c"].reduce<Basket>((lines, id) => addItem(lines, item(id)), []);
  const [, middle] = basket;

  test("undoes a removal: the line is where it was, with its quantity", () => {
    if (middle === undefined) throw new Error("there is no second line");
    const line = { ...middle, quantity: 7 };
    expect(restoreLine(removeItem(basket, "b"), line, 1)).toEqual([basket[0], line, basket[2]]);
  });

  test("changes nothing where the item was added again meanwhile", () => {
    if (middle === undefined) throw new Error("there is no second line");
    expect(restoreLine(basket, { ...middle, quantity: 7 }, 0)).toBe(basket);
  });
});

test("a basket takes 100 lines of up to 9,999 pieces", () => {
  expect([MAX_LINES, MAX_QUANTITY]).toEqual([100, 9_999]);
});

test("changing or removing one line leaves the others as they are", () => {
  const basket = [item("a"), item("b"), item("c")].reduce<Basket>(addItem, []);
  const quantities = (changed: Basket) => changed.map(({ id, quantity }) => `${id} ${quantity}`);
  expect(quantities(setQuantity(basket, "b", 7))).toEqual(["a 1", "b 7", "c 1"]);
  expect(quantities(setQuantity(basket, "b", 1))).toEqual(["a 1", "b 1", "c 1"]);
  expect(quantities(removeItem(basket, "b"))).toEqual(["a 1", "c 1"]);
  expect(quantities(setQuantity(basket, "d", 7))).toEqual(["a 1", "b 1", "c 1"]);
});
