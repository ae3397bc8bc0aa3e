import { expect, test } from "vitest";
import { createOwnOrders } from "../../lib/own-orders.ts";
import {
  type CheckoutSession,
  completePurchase,
  createCheckoutSession,
} from "./checkout-session.ts";
import { blankDraft } from "./order-request.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const id = "00000000-0000-4000-8000-000000000001";

/** A session with a filled-in form, in which an order of two mugs was placed. */
function withOrder(): CheckoutSession {
  const ownOrders = createOwnOrders(undefined);
  const session = createCheckoutSession(ownOrders);
  const order = { id, status: "Pending", items: [mug], total_price: 3_700, created_at: 1 };
  ownOrders.add(order);
  session.orders.add(order);
  session.draft = blankDraft();
  return session;
}

test("a completed purchase clears the form and says what was bought, once", () => {
  const session = withOrder();
  expect(completePurchase(session, id)).toEqual([mug]);
  expect(session.draft).toBeUndefined();
  expect(completePurchase(session, id)).toBeUndefined();
});

test("a form that is used for the next order is kept", () => {
  const session = withOrder();
  session.orders.compareWith([]);
  session.orders.noteFormEdited();
  expect(completePurchase(session, id)).toEqual([mug]);
  expect(session.draft).toEqual(blankDraft());
});

test("nothing is known of an order of another tab", () => {
  expect(completePurchase(withOrder(), "another")).toBeUndefined();
});
