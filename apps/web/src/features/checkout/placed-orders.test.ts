import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlacedOrders, type PlacedOrders, shownOrder, unfinishedOrder } from "./placed-orders.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };

/** An order as the server answers it. */
function anOrder(id: string, items = [mug, pot]) {
  return { id, status: "Pending", items, total_price: 8_200, created_at: 1, key: "k" };
}

function shownId(orders: PlacedOrders): string | undefined {
  return shownOrder(orders.store.getState())?.order.id;
}

/** Orders of a tab in which order "a" is placed. */
function withOrder(): PlacedOrders {
  const orders = createPlacedOrders();
  orders.add(anOrder("a"), 8_200);
  return orders;
}

/** Orders of a tab in which order "a" is placed, paid and completed. */
function withCompletedOrder(): PlacedOrders {
  const orders = withOrder();
  orders.pay("a", "c1");
  orders.complete("a");
  return orders;
}

beforeEach(() => {
  const saved = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, text: string) => saved.set(key, text),
    removeItem: (key: string) => saved.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("an order is superseded while the basket differs from its items, in any order of the lines", () => {
  const orders = withOrder();
  orders.compareWith([mug]);
  expect(shownId(orders)).toBeUndefined();
  orders.compareWith([mug, { ...pot, quantity: 2 }]);
  expect(shownId(orders)).toBeUndefined();
  orders.compareWith([pot, mug]);
  expect(shownId(orders)).toBe("a");
});

test("a form that is edited while an order is superseded no longer holds its details", () => {
  const orders = withOrder();
  const isReused = () => shownOrder(orders.store.getState())?.formReused ?? false;
  orders.noteFormEdited();
  expect(isReused()).toBe(false);
  orders.compareWith([mug]);
  orders.noteFormEdited();
  orders.compareWith([mug, pot]);
  expect(isReused()).toBe(true);
});

test("after a reload, which empties the basket, an order is superseded while the basket has items", () => {
  withOrder();
  const orders = createPlacedOrders();
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  orders.compareWith([]);
  expect(shownId(orders)).toBe("a");
});

test("an order that was superseded before a reload stays superseded", () => {
  withOrder().compareWith([mug]);
  const orders = createPlacedOrders();
  orders.compareWith([]);
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("an order that was superseded before another purchase was completed stays superseded", () => {
  const orders = withOrder();
  orders.compareWith([mug]);
  orders.add(anOrder("b", [mug]), 3_700);
  orders.complete("b");
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("a completed order is kept, also over a reload, until it is removed", () => {
  withCompletedOrder();
  const orders = createPlacedOrders();
  expect(shownOrder(orders.store.getState())).toMatchObject({ order: { id: "a" }, contractId: "c1" });
  orders.remove("a");
  expect(createPlacedOrders().store.getState()).toEqual([]);
});

test("a completed order does not stand in the way of a new purchase, but is still offered", () => {
  const orders = withCompletedOrder();
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  expect(unfinishedOrder(orders.store.getState())?.order.id).toBe("a");
  orders.add(anOrder("b", [pot]), 4_500);
  expect(shownId(orders)).toBe("b");
});

test("a completed order that is reopened can be paid again, whatever is in the basket", () => {
  const orders = withCompletedOrder();
  orders.compareWith([pot]);
  orders.add(anOrder("b", [pot]), 4_500);
  orders.reopen("a", "c1");
  expect(shownOrder(orders.store.getState())).toMatchObject({ order: { id: "a", key: "k" } });
  expect(shownOrder(orders.store.getState())?.contractId).toBeUndefined();
  orders.pay("a", "c2");
  expect(shownOrder(orders.store.getState())?.contractId).toBe("c2");
  orders.reopen("a", "c1");
  expect(shownOrder(orders.store.getState())?.contractId).toBe("c2");
});
