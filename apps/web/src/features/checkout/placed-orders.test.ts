import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOwnOrders, type OwnOrders } from "../../lib/own-orders.ts";
import { createPlacedOrders, isCancelled, type PlacedOrders, shownOrder } from "./placed-orders.ts";

const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";
const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };

/** An order as the server answers it. */
function anOrder(id: string, items = [mug, pot]) {
  return { id, status: "Pending", items, total_price: 8_200, created_at: 1, key: "k" };
}

function shownId(orders: PlacedOrders): string | undefined {
  return shownOrder(orders.store.getState())?.order.id;
}

/** The browser's orders. They are kept over a reload of the tab. */
let own: OwnOrders;

function place(orders: PlacedOrders, id: string, items = [mug, pot]): void {
  own.add(anOrder(id, items));
  orders.add(anOrder(id, items));
}

/** Orders of a tab in which order "a" is placed. */
function withOrder(): PlacedOrders {
  const orders = createPlacedOrders(own);
  place(orders, A);
  return orders;
}

beforeEach(() => {
  own = createOwnOrders(undefined);
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
  expect(shownId(orders)).toBe(A);
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
  const orders = createPlacedOrders(own);
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  orders.compareWith([]);
  expect(shownId(orders)).toBe(A);
});

test("after a reload an order takes nothing out of the basket", () => {
  withOrder();
  expect(createPlacedOrders(own).store.getState()[0]?.ownBasket).toEqual([]);
});

test("an order that was superseded before a reload stays superseded", () => {
  withOrder().compareWith([mug]);
  const orders = createPlacedOrders(own);
  orders.compareWith([]);
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("an order that was superseded before another purchase was completed stays superseded", () => {
  const orders = withOrder();
  orders.compareWith([mug]);
  place(orders, B, [mug]);
  orders.complete(B);
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("an order that the widget reported as paid is shown before others, also after a reload, until it is complete", () => {
  const orders = withOrder();
  orders.compareWith([pot]);
  place(orders, B, [pot]);
  expect(shownId(orders)).toBe(B);
  own.pay(A, "c1");
  expect(shownId(orders)).toBe(A);
  const reloaded = createPlacedOrders(own);
  expect(shownOrder(reloaded.store.getState())).toMatchObject({
    order: { id: A, contractId: "c1" },
  });
  reloaded.complete(A);
  expect(shownId(reloaded)).toBe(B);
  expect(shownId(createPlacedOrders(own))).toBe(B);
});

test("an order whose contract has failed gives way to a new purchase, until another contract is reported", () => {
  const orders = withOrder();
  own.pay(A, "c1");
  orders.noteFailure(A, "c1");
  expect(shownId(orders), "it can be paid again").toBe(A);
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  expect(shownId(createPlacedOrders(own))).toBeUndefined();
  own.pay(A, "c2");
  expect(shownId(orders)).toBe(A);
});

test.each<[string, () => void]>([
  ["forgotten", () => own.forget(A)],
  ["cancelled", () => own.noteStatus(A, "Cancelled")],
])("an order that is %s is not shown any more", (_, end) => {
  const orders = withOrder();
  end();
  expect(shownId(orders)).toBeUndefined();
});

test("a cancelled order is kept until the shopper has been told, also over a reload, and another one is shown meanwhile", () => {
  const orders = withOrder();
  own.pay(A, "c1");
  own.noteStatus(A, "Cancelled");
  const told = (some: PlacedOrders) => some.store.getState().find(isCancelled)?.order.id;
  const reloaded = createPlacedOrders(own);
  for (const some of [orders, reloaded]) expect(told(some)).toBe(A);
  place(reloaded, B, [mug]);
  expect(shownId(reloaded)).toBe(B);
  reloaded.complete(A);
  expect(told(reloaded)).toBeUndefined();
  expect(told(createPlacedOrders(own))).toBeUndefined();
});
