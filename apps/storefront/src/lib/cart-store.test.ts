import { MAX_LINES, MAX_QUANTITY } from "@keepsats/domain";
import { beforeEach, expect, test, vi } from "vitest";

const mug = { id: "mug", name: "Enamel Mug", price: 1_850 };

/** Imported again for each test, as after a reload. */
let store: typeof import("./cart-store.ts");
beforeEach(async () => {
  vi.resetModules();
  store = await import("./cart-store.ts");
});

test("adding to a line with the maximum quantity is refused, and no listener is called", () => {
  expect(store.addToCart(mug)).toBe("added");
  store.setCartQuantity({ ...mug, quantity: 1 }, MAX_QUANTITY);
  const listener = vi.fn();
  store.useCart.subscribe(listener);
  expect(store.addToCart(mug)).toBe("too-many-pieces");
  expect(listener).not.toHaveBeenCalled();
});

test("a cart with the maximum number of lines takes another piece of its items, but no other item", () => {
  for (let index = 0; index < MAX_LINES; index += 1)
    expect(store.addToCart({ ...mug, id: `item-${index}` })).toBe("added");
  expect(store.addToCart(mug)).toBe("too-many-lines");
  expect(store.addToCart({ ...mug, id: "item-0" })).toBe("added");
});
