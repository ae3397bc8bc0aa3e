import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSavedOrders, type SavedOrders } from "../../lib/saved-orders.ts";
import { createPlacedOrders, isCancelled, type PlacedOrders, shownOrder } from "./placed-orders.ts";

const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";
const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };

/** An order as in the answer of the server. */
function anOrder(id: string, items = [mug, pot]) {
  return { id, status: "Pending", items, total_price: 8_200, created_at: 1, key: "k" };
}

function shownId(orders: PlacedOrders): string | undefined {
  return shownOrder(orders.store.getState())?.order.id;
}

/** They survive a reload of the tab. */
let savedOrders: SavedOrders;

function place(orders: PlacedOrders, id: string, items = [mug, pot]): void {
  savedOrders.add(anOrder(id, items));
  orders.add(anOrder(id, items));
}

/** The orders of a tab in which order A is placed. */
function withOrder(): PlacedOrders {
  const orders = createPlacedOrders(savedOrders);
  place(orders, A);
  return orders;
}

beforeEach(() => {
  savedOrders = createSavedOrders(undefined);
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

test("an order is superseded while the cart differs from its items, in any order of the lines", () => {
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
  orders.recordFormEdit();
  expect(isReused()).toBe(false);
  orders.compareWith([mug]);
  orders.recordFormEdit();
  orders.compareWith([mug, pot]);
  expect(isReused()).toBe(true);
});

test("after a reload, which empties the cart, an order is superseded while the cart has items", () => {
  withOrder();
  const orders = createPlacedOrders(savedOrders);
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  orders.compareWith([]);
  expect(shownId(orders)).toBe(A);
});

test("after a reload an order removes nothing from the cart", () => {
  withOrder();
  expect(createPlacedOrders(savedOrders).store.getState()[0]?.orderedCart).toEqual([]);
});

test("an order that was superseded before a reload stays superseded", () => {
  withOrder().compareWith([mug]);
  const orders = createPlacedOrders(savedOrders);
  orders.compareWith([]);
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("an order that was superseded before another purchase was completed stays superseded", () => {
  const orders = withOrder();
  orders.compareWith([mug]);
  place(orders, B, [mug]);
  orders.endPurchase(B);
  orders.compareWith([mug, pot]);
  expect(shownId(orders)).toBeUndefined();
});

test("an order that the widget reported as paid is shown first, also after a reload, until it is complete", () => {
  const orders = withOrder();
  orders.compareWith([pot]);
  place(orders, B, [pot]);
  expect(shownId(orders)).toBe(B);
  savedOrders.recordLoan(A, "c1");
  expect(shownId(orders)).toBe(A);
  const reloaded = createPlacedOrders(savedOrders);
  expect(shownOrder(reloaded.store.getState())).toMatchObject({
    order: { id: A, loanId: "c1" },
  });
  reloaded.endPurchase(A);
  expect(shownId(reloaded)).toBe(B);
  expect(shownId(createPlacedOrders(savedOrders))).toBe(B);
});

test("an order whose loan has failed does not block a new purchase, until another loan is reported", () => {
  const orders = withOrder();
  savedOrders.recordLoan(A, "c1");
  orders.recordFailure(A, "c1");
  expect(shownId(orders), "it can be paid again").toBe(A);
  orders.compareWith([pot]);
  expect(shownId(orders)).toBeUndefined();
  expect(shownId(createPlacedOrders(savedOrders))).toBeUndefined();
  // The name that earlier versions have stored.
  expect(sessionStorage.getItem("keepsats-placed-orders")).toContain('"failedContract":"c1"');
  savedOrders.recordLoan(A, "c2");
  expect(shownId(orders)).toBe(A);
});

test.each<[string, () => void]>([
  ["forgotten", () => savedOrders.forget(A)],
  ["cancelled", () => savedOrders.recordStatus(A, "Cancelled")],
])("an order that is %s is no longer shown", (_, end) => {
  const orders = withOrder();
  end();
  expect(shownId(orders)).toBeUndefined();
});

test("a cancelled order is kept until its notice is closed, also across a reload, while another one is shown", () => {
  const orders = withOrder();
  savedOrders.recordLoan(A, "c1");
  savedOrders.recordStatus(A, "Cancelled");
  const noticeOf = (orders: PlacedOrders) => orders.store.getState().find(isCancelled)?.order.id;
  const reloaded = createPlacedOrders(savedOrders);
  for (const tab of [orders, reloaded]) expect(noticeOf(tab)).toBe(A);
  place(reloaded, B, [mug]);
  expect(shownId(reloaded)).toBe(B);
  reloaded.endPurchase(A);
  expect(noticeOf(reloaded)).toBeUndefined();
  expect(noticeOf(createPlacedOrders(savedOrders))).toBeUndefined();
});
