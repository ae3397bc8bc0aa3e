import { expect, test } from "vitest";
import { replaceCart, useCart } from "../../lib/cart-store.ts";
import {
  type CheckoutSession,
  completePurchase,
  createCheckoutSession,
  stockWithHeld,
} from "./checkout-session.ts";
import type { PlacedPurchase } from "./open-purchase.ts";
import { blankDraft } from "./order-request.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const id = "00000000-0000-4000-8000-000000000001";

/** A session with a filled-in form, in which an order of two mugs was placed. */
function withOrder(): CheckoutSession {
  const session = createCheckoutSession();
  session.purchase.setState({ id, items: [mug], orderedCart: [mug] }, true);
  session.draft = blankDraft();
  session.formOrderId = id;
  return session;
}

test("a completed purchase clears the form and subtracts the bought pieces from the cart, once", () => {
  const session = withOrder();
  replaceCart([{ ...mug, quantity: 5 }]);
  completePurchase(session, id);
  completePurchase(session, id);
  expect(session.draft).toBeUndefined();
  expect(useCart.getState().lines).toEqual([{ ...mug, quantity: 3 }]);
});

test("a form that was edited for the next order is kept", () => {
  const session = withOrder();
  session.formOrderId = undefined;
  completePurchase(session, id);
  expect(session.draft).toEqual(blankDraft());
});

test("an order of another tab changes nothing", () => {
  const session = withOrder();
  replaceCart([mug]);
  completePurchase(session, "another");
  expect(session.draft).toEqual(blankDraft());
  expect(useCart.getState().lines).toEqual([mug]);
});

function aPlaced(changes: Partial<PlacedPurchase["order"]> = {}): PlacedPurchase {
  return {
    id: "a",
    orderedCart: [],
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
  expect([...stockWithHeld(stock, aPlaced())]).toEqual([
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
  expect(stockWithHeld(stock, aPlaced(changes))).toEqual(stock);
});
