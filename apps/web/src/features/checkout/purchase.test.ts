import type { Basket } from "@keepsats/domain";
import { expect, test } from "vitest";
import type { PlacedOrderState } from "./placed-orders.ts";
import { completionOf, paymentHint, purchaseOf } from "./purchase.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };
const basket: Basket = [{ ...mug }, { ...pot }];

/** An order of two mugs that was just placed. */
function aPlacedOrder(changes: Partial<PlacedOrderState> = {}): PlacedOrderState {
  const order = { id: "o", status: "Pending", items: [mug], total_price: 3_700, created_at: 1, key: "k" };
  return { order, ownBasket: [mug], ...changes };
}

test("without an order the checkout shows the basket and the form", () => {
  expect(purchaseOf(basket, undefined)).toMatchObject({
    step: "details",
    lines: basket,
    price: { subtotal: 8_200, shipping: 0, total: 8_200 },
    details: "editable",
    hasNewItems: false,
  });
});

test.each<[string, Partial<PlacedOrderState>, object]>([
  ["just placed", {}, { step: "pay", details: "fixed", hasNewItems: false }],
  ["paid", { contractId: "c" }, { step: "done", details: "fixed", hasNewItems: false }],
  ["placed before a reload", { ownBasket: [] }, { step: "pay", details: "stored" }],
  [
    "paid after the basket was changed",
    { contractId: "c", superseded: true },
    { step: "done", details: "stored", hasNewItems: true },
  ],
])("an order that is %s is shown instead of the basket", (_, changes, shown) => {
  const purchase = purchaseOf(changes.superseded ? basket : [mug], aPlacedOrder(changes));
  expect(purchase).toMatchObject({ lines: [mug], price: { total: 3_700 }, ...shown });
});

test("only what is in the basket but not in the order is new", () => {
  const isNew = (changes: Partial<PlacedOrderState>, ...lines: Basket) =>
    purchaseOf(lines, aPlacedOrder({ superseded: true, ...changes })).hasNewItems;
  expect(isNew({})).toBe(false);
  expect(isNew({}, { ...mug, quantity: 1 })).toBe(false);
  expect(isNew({}, { ...mug, quantity: 3 })).toBe(true);
  expect(isNew({}, pot)).toBe(true);
  expect(isNew({ ownBasket: [] }, mug)).toBe(true);
  expect(isNew({ ownBasket: undefined }, mug)).toBe(true);
});

test("a form that was edited while the order was superseded is not shown as the order's details", () => {
  const placed = aPlacedOrder({ contractId: "c", formReused: true });
  expect(purchaseOf([mug], placed).details).toBe("stored");
  expect(completionOf(placed)).toMatchObject({ bought: [mug], clearsDraft: false });
});

test("the price is the placed order's, and the total before a price change is kept", () => {
  const purchase = purchaseOf(basket, aPlacedOrder({ totalBefore: 3_500 }));
  expect([purchase.price.total, purchase.totalBefore]).toEqual([3_700, 3_500]);
});

test("a purchase can be completed only when its order is paid", () => {
  expect(completionOf(undefined)).toBeUndefined();
  expect(completionOf(aPlacedOrder())).toBeUndefined();
  expect(completionOf(aPlacedOrder({ contractId: "c" }))).toEqual({
    orderId: "o",
    contractId: "c",
    key: "k",
    bought: [mug],
    clearsDraft: true,
  });
});

test("after a reload the basket is kept; after a change of the basket the form is kept", () => {
  const afterReload = completionOf(aPlacedOrder({ contractId: "c", ownBasket: [] }));
  expect(afterReload).toMatchObject({ bought: [], clearsDraft: false });
  const afterChange = completionOf(aPlacedOrder({ contractId: "c", superseded: true }));
  expect(afterChange).toMatchObject({ bought: [mug], clearsDraft: false });
});

test("the hint says why the payment cannot be started, or what to do next", () => {
  expect(paymentHint("details", true)).toBe("Place your order first, then you can pay.");
  expect(paymentHint("pay", false)).toBeUndefined();
  expect(paymentHint("pay", true)).toMatch(/cannot be reached/);
  expect(paymentHint("done", false)).toBe("The payment window reported success.");
});
