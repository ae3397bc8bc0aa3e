import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addItem,
  type Cart,
  cartCount,
  cartTotal,
  MAX_LINES,
  MAX_QUANTITY,
  parseQuantity,
  removeItem,
  restoreLine,
  setQuantity,
} from "./cart.ts";

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
      let cart: Cart = [];
      for (const action of steps) {
        if (action.kind === "add") cart = addItem(cart, item(action.id, action.price));
        else if (action.kind === "remove") cart = removeItem(cart, action.id);
        else cart = setQuantity(cart, action.id, action.quantity);
      }
      expect(new Set(cart.map(({ id }) => id)).size).toBe(cart.length);
      for (const { quantity } of cart) {
        expect(quantity).toBeGreaterThanOrEqual(1);
        expect(quantity).toBeLessThanOrEqual(MAX_QUANTITY);
      }
      expect(cartTotal(cart)).toBe(
        cart.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
      );
      expect(Number.isSafeInteger(cartTotal(cart))).toBe(true);
      expect(cartCount(cart)).toBe(cart.reduce((sum, { quantity }) => sum + quantity, 0));
    }),
  );
});

describe("adding", () => {
  test("a new item appends a line with quantity 1", () => {
    expect(addItem([], item("a"))).toEqual([{ ...item("a"), quantity: 1 }]);
  });
  test("an item that is in the cart increases its quantity by 1 and keeps its position", () => {
    const cart = [item("a"), item("b")].reduce<Cart>(addItem, []);
    expect(addItem(cart, item("a")).map(({ id, quantity }) => [id, quantity])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });
  test("a cart with the maximum number of lines takes no further item", () => {
    const full = Array.from({ length: MAX_LINES + 5 }, (_, index) =>
      item(String(index)),
    ).reduce<Cart>(addItem, []);
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

test("setting the current quantity, or adding to the maximum, returns the same cart object", () => {
  const cart = setQuantity(addItem([], item("mug")), "mug", MAX_QUANTITY);
  expect(setQuantity(cart, "mug", MAX_QUANTITY)).toBe(cart);
  expect(setQuantity(cart, "mug", MAX_QUANTITY + 1)).toBe(cart);
  expect(addItem(cart, item("mug"))).toBe(cart);
});

describe("restoreLine", () => {
  const cart = ["a", "b", "c"].reduce<Cart>((lines, id) => addItem(lines, item(id)), []);
  const [, middle] = cart;

  test("undoes a removal: the line has its position and its quantity again", () => {
    if (middle === undefined) throw new Error("there is no second line");
    const line = { ...middle, quantity: 7 };
    expect(restoreLine(removeItem(cart, "b"), line, 1)).toEqual([cart[0], line, cart[2]]);
  });

  test("changes nothing if the item was added again", () => {
    if (middle === undefined) throw new Error("there is no second line");
    expect(restoreLine(cart, { ...middle, quantity: 7 }, 0)).toBe(cart);
  });
});

test("a cart has at most 100 lines of at most 9,999 pieces", () => {
  expect([MAX_LINES, MAX_QUANTITY]).toEqual([100, 9_999]);
});

test("changing or removing a line leaves the other lines unchanged", () => {
  const cart = [item("a"), item("b"), item("c")].reduce<Cart>(addItem, []);
  const quantities = (changed: Cart) => changed.map(({ id, quantity }) => `${id} ${quantity}`);
  expect(quantities(setQuantity(cart, "b", 7))).toEqual(["a 1", "b 7", "c 1"]);
  expect(quantities(setQuantity(cart, "b", 1))).toEqual(["a 1", "b 1", "c 1"]);
  expect(quantities(removeItem(cart, "b"))).toEqual(["a 1", "c 1"]);
  expect(quantities(setQuantity(cart, "d", 7))).toEqual(["a 1", "b 1", "c 1"]);
});
