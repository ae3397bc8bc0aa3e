import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createOpenPurchase,
  isShown,
  type OpenPurchase,
  type PlacedPurchase,
  replaceableOrder,
} from "./open-purchase.ts";

const storageKey = "keepsats-placed-orders";
const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };
const aPurchase: OpenPurchase = { id: "a", items: [mug, pot], orderedCart: [mug, pot] };

/** A purchase of two mugs and a pot. */
function aPlaced(
  order: Partial<PlacedPurchase["order"]> = {},
  changes: Partial<OpenPurchase> = {},
): PlacedPurchase {
  const saved = { id: "a", key: "k", created_at: 1, total_price: 8_200, status: "Pending" };
  return { ...aPurchase, ...changes, order: { ...saved, ...order } };
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

test("an order is shown while the cart has its items, in any order of the lines", () => {
  expect(isShown(aPlaced(), [mug])).toBe(false);
  expect(isShown(aPlaced(), [mug, { ...pot, quantity: 2 }])).toBe(false);
  expect(isShown(aPlaced(), [pot, mug])).toBe(true);
});

test("an order that the widget reported as paid is shown with any cart, until its loan has failed", () => {
  expect(isShown(aPlaced({ loanId: "c1" }), [pot])).toBe(true);
  expect(isShown(aPlaced({ loanId: "c1" }, { failedLoanId: "c1" }), [pot])).toBe(false);
  expect(
    isShown(aPlaced({ loanId: "c1" }, { failedLoanId: "c1" }), [mug, pot]),
    "it can be paid again",
  ).toBe(true);
  expect(isShown(aPlaced({ loanId: "c2" }, { failedLoanId: "c1" }), [pot])).toBe(true);
});

test("a cancelled order is not shown, also if it was reported as paid", () => {
  expect(isShown(aPlaced({ status: "Cancelled", loanId: "c1" }), [mug, pot])).toBe(false);
});

test("an unpaid order that holds pieces of another one can be replaced", () => {
  const aChangedOrder = (available: number) => ({
    lines: [{ line: { ...mug, quantity: 3 }, available, price: mug.price }],
    totalBefore: 0,
    buyable: [],
    total: 0,
    repriced: [],
  });
  expect(replaceableOrder(aPlaced(), aChangedOrder(1))).toEqual({
    id: "a",
    key: "k",
    items: [mug],
  });
  expect(replaceableOrder(aPlaced(), aChangedOrder(3))).toBeUndefined();
  expect(replaceableOrder(aPlaced({ loanId: "c1" }), aChangedOrder(1))).toBeUndefined();
  expect(replaceableOrder(undefined, aChangedOrder(1))).toBeUndefined();
});

test("a purchase survives a reload, which empties the cart, until it ends", () => {
  createOpenPurchase().setState({ ...aPurchase, failedLoanId: "c1" }, true);
  const reloaded = createOpenPurchase();
  expect(reloaded.getState()).toEqual({ ...aPurchase, failedLoanId: "c1", orderedCart: [] });
  reloaded.setState(undefined, true);
  expect(sessionStorage.getItem(storageKey)).toBeNull();
  expect(createOpenPurchase().getState()).toBeUndefined();
});

test("of several purchases that version 1.0.0 has stored, the last one is read", () => {
  const line = { id: "mug", name: "Mug", price: 18.5, quantity: 2 };
  const stored = [
    { id: "a", items: [line], superseded: true },
    { id: "b", items: [line], failedContract: "c1" },
  ];
  sessionStorage.setItem(storageKey, JSON.stringify(stored));
  expect(createOpenPurchase().getState()).toEqual({
    id: "b",
    items: [mug],
    failedLoanId: "c1",
    orderedCart: [],
  });
});

test.each(["{", "null", '[{"id":1}]', "[]"])(
  "a stored text in another format is ignored: %s",
  (text) => {
    sessionStorage.setItem(storageKey, text);
    expect(createOpenPurchase().getState()).toBeUndefined();
  },
);
