import { expect, test } from "vitest";
import { createSavedOrders } from "../../lib/saved-orders.ts";
import {
  type CheckoutSession,
  completePurchase,
  createCheckoutSession,
  stockWithHeld,
} from "./checkout-session.ts";
import { blankDraft } from "./order-request.ts";
import type { OpenPurchase } from "./placed-orders.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const id = "00000000-0000-4000-8000-000000000001";

/** A session with a filled-in form, in which an order of two mugs was placed. */
function withOrder(): CheckoutSession {
  const savedOrders = createSavedOrders(undefined);
  const session = createCheckoutSession(savedOrders);
  const order = { id, status: "Pending", items: [mug], total_price: 3_700, created_at: 1 };
  savedOrders.add(order);
  session.orders.add(order);
  session.draft = blankDraft();
  return session;
}

test("a completed purchase clears the form and returns the bought lines, once", () => {
  const session = withOrder();
  expect(completePurchase(session, id)).toEqual([mug]);
  expect(session.draft).toBeUndefined();
  expect(completePurchase(session, id)).toBeUndefined();
});

test("a form that was edited for the next order is kept", () => {
  const session = withOrder();
  session.orders.compareWith([]);
  session.orders.recordFormEdit();
  expect(completePurchase(session, id)).toEqual([mug]);
  expect(session.draft).toEqual(blankDraft());
});

test("an order of another tab has no purchase", () => {
  expect(completePurchase(withOrder(), "another")).toBeUndefined();
});

function aPlaced(changes: Partial<OpenPurchase["order"]> = {}): OpenPurchase {
  return {
    order: { id: "a", key: "k", created_at: 1, total_price: 1, status: "Pending", ...changes },
    items: [
      { id: "mug", name: "Mug", price: 1, quantity: 2 },
      { id: "pot", name: "Pot", price: 1, quantity: 1 },
      { id: "bowl", name: "Bowl", price: 1, quantity: 1 },
      { id: "gone", name: "Gone", price: 1, quantity: 1 },
    ],
  };
}
const stock = new Map<string, boolean | number>([
  ["mug", false],
  ["pot", 3],
  ["bowl", true],
]);

test("the pieces of an unpaid order of this tab count as stock", () => {
  expect([...stockWithHeld(stock, [aPlaced()])]).toEqual([
    ["mug", 2],
    ["pot", 4],
    ["bowl", true],
  ]);
});

test.each([
  ["paid", { status: "PaymentProcessed" }],
  ["cancelled", { status: "Cancelled" }],
  ["reported as paid", { loanId: "c" }],
  ["without a key", { key: undefined }],
])("the pieces of an order that is %s do not", (_, changes) => {
  expect(stockWithHeld(stock, [aPlaced(changes)])).toEqual(stock);
});
