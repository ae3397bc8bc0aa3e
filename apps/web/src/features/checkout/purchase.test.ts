import type { Basket } from "@keepsats/domain";
import { expect, test } from "vitest";
import type { PlacedOrderState } from "./placed-orders.ts";
import {
  currentStepOf,
  type PaymentNews,
  type PurchaseStep,
  paymentButtonOf,
  paymentNews,
  purchaseOf,
} from "./purchase.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };
const basket: Basket = [{ ...mug }, { ...pot }];

/** An order of two mugs that was just placed. */
function aPlacedOrder(
  changes: Partial<PlacedOrderState> = {},
  contractId: string | undefined = undefined,
): PlacedOrderState {
  const order = {
    id: "o",
    status: "Pending",
    total_price: 3_700,
    created_at: 1,
    key: "k",
    contractId,
  };
  return { order, items: [mug], ownBasket: [mug], ...changes };
}

test("paying is the current step until the order is paid", () => {
  for (const news of ["reported", "under-way", "over", "not-found"] as const)
    expect(currentStepOf("done", news)).toBe("pay");
  expect(currentStepOf("done", "paid")).toBe("done");
  expect(currentStepOf("details", "placed")).toBe("details");
});

test("without an order the checkout shows the basket and the form", () => {
  expect(purchaseOf(basket, undefined)).toMatchObject({
    step: "details",
    lines: basket,
    price: { subtotal: 8_200, shipping: 0, total: 8_200 },
    details: "editable",
    hasNewItems: false,
  });
});

test.each<[string, PlacedOrderState, object]>([
  ["just placed", aPlacedOrder(), { step: "pay", details: "fixed", hasNewItems: false }],
  ["paid", aPlacedOrder({}, "c"), { step: "done", details: "fixed", hasNewItems: false }],
  ["placed before a reload", aPlacedOrder({ ownBasket: [] }), { step: "pay", details: "stored" }],
  [
    "paid after the basket was changed",
    aPlacedOrder({ superseded: true }, "c"),
    { step: "done", details: "stored", hasNewItems: true },
  ],
])("an order that is %s is shown instead of the basket", (_, placed, shown) => {
  const purchase = purchaseOf(placed.superseded ? basket : [mug], placed);
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
  const placed = aPlacedOrder({ formReused: true }, "c");
  expect(purchaseOf([mug], placed).details).toBe("stored");
});

test("the price is the placed order's", () => {
  expect(purchaseOf(basket, aPlacedOrder()).price.total).toBe(3_700);
});

/** What the order stream has sent of an order. */
function followed(
  status: string,
  { isOver = false, error }: { isOver?: boolean; error?: string } = {},
) {
  const shipping_address = { street: "", city: "", state: "", postal_code: "", country: "" };
  const people = { customer_name: "", customer_email: "", shipping_address };
  const order = {
    ...people,
    status,
    items: [],
    total_price: 3_700,
    created_at: 1,
    payment_attempt_over: isOver,
  };
  return { connection: "live", order, error } as const;
}
const nothing = { connection: "connecting", order: undefined, error: undefined } as const;
const error = "ContractNotFound";

test.each([
  ["nothing has come yet", nothing, "placed", "reported"],
  ["it waits for its payment", followed("Pending"), "placed", "reported"],
  ["a loan is being paid out", followed("PaymentProcessing"), "under-way", "under-way"],
  ["the loan was declined", followed("Pending", { isOver: true }), "over", "over"],
  ["the loan does not fit", followed("Pending", { error }), "not-found", "not-found"],
  [
    "another loan is being paid out",
    followed("PaymentProcessing", { error }),
    "under-way",
    "under-way",
  ],
  [
    "the lender cannot be reached",
    followed("Pending", { error: "ConnectionError" }),
    "placed",
    "reported",
  ],
  ["it is paid", followed("PaymentProcessed"), "paid", "paid"],
  ["it is shipped already", followed("Shipped"), "paid", "paid"],
  ["its status is unknown", followed("constructor"), "placed", "reported"],
])("the news of an order of which %s", (_, state, whilePaying, afterSuccess) => {
  expect([paymentNews("pay", state), paymentNews("done", state)]).toEqual([
    whilePaying,
    afterSuccess,
  ]);
});

test.each<[PurchaseStep, PaymentNews, object]>([
  ["details", "placed", { hint: "Place your order first, then you can pay." }],
  ["pay", "placed", { paid: false, label: "Finance with Bitcoin", hint: undefined }],
  ["pay", "over", { paid: false, label: "Finance with Bitcoin" }],
  ["pay", "paid", { paid: true, hint: "This order is paid." }],
  ["done", "reported", { paid: true, hint: "The payment window reported success." }],
  ["done", "under-way", { paid: true }],
  ["done", "over", { paid: false, label: "Try payment again" }],
  ["done", "not-found", { paid: false, label: "Try payment again" }],
  ["done", "paid", { paid: true }],
])("the payment button in step %s when the payment is %s", (step, news, button) => {
  expect(paymentButtonOf(step, news)).toMatchObject(button);
});
