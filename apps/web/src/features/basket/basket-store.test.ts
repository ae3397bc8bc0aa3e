import { MAX_LINES, MAX_QUANTITY } from "@keepsats/domain";
import { beforeEach, expect, test, vi } from "vitest";

const mug = { id: "mug", name: "Enamel Mug", price: 1_850 };

/** The store of a new page. */
let store: typeof import("./basket-store.ts");
beforeEach(async () => {
  vi.resetModules();
  store = await import("./basket-store.ts");
});

test("adding to a line with the highest quantity is refused, and no listener hears of a change", () => {
  expect(store.addToBasket(mug)).toBe("added");
  store.setBasketQuantity({ ...mug, quantity: 1 }, MAX_QUANTITY);
  const listener = vi.fn();
  store.onBasketChange(listener);
  expect(store.addToBasket(mug)).toBe("too-many-pieces");
  expect(listener).not.toHaveBeenCalled();
});

test("a basket with the maximum of lines takes another piece of its items, but no other item", () => {
  for (let index = 0; index < MAX_LINES; index += 1)
    expect(store.addToBasket({ ...mug, id: `item-${index}` })).toBe("added");
  expect(store.addToBasket(mug)).toBe("too-many-lines");
  expect(store.addToBasket({ ...mug, id: "item-0" })).toBe("added");
});
