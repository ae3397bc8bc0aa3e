import type { Cart } from "@keepsats/domain";
import { expect, test } from "vitest";
import type { PlacedPurchase } from "./open-purchase.ts";
import {
  currentStepOf,
  type PaymentNews,
  type PurchaseStep,
  paymentButtonOf,
  paymentNews,
  purchaseOf,
  refundNotice,
} from "./purchase.ts";

const mug = { id: "mug", name: "Mug", price: 1_850, quantity: 2 };
const pot = { id: "pot", name: "Pot", price: 4_500, quantity: 1 };
const cart: Cart = [{ ...mug }, { ...pot }];

/** An order of two mugs that was just placed. */
function aPlacedOrder(
  changes: Partial<PlacedPurchase> = {},
  loanId: string | undefined = undefined,
): PlacedPurchase {
  const order = {
    id: "o",
    status: "Pending",
    total_price: 3_700,
    created_at: 1,
    key: "k",
    loanId,
  };
  return { id: "o", order, items: [mug], orderedCart: [mug], ...changes };
}

test("pay is the current step until the order is paid", () => {
  for (const news of ["reported", "active", "failed", "not-found"] as const)
    expect(currentStepOf("done", news)).toBe("pay");
  expect(currentStepOf("done", "paid")).toBe("done");
  expect(currentStepOf("details", "placed")).toBe("details");
});

test("without an order the checkout shows the cart and the form", () => {
  expect(purchaseOf(cart, undefined)).toMatchObject({
    step: "details",
    lines: cart,
    price: { subtotal: 8_200, shipping: 0, total: 8_200 },
    hasNewItems: false,
  });
});

test.each<[string, PlacedPurchase, object]>([
  ["just placed", aPlacedOrder(), { step: "pay", hasNewItems: false }],
  ["paid", aPlacedOrder({}, "c"), { step: "done", hasNewItems: false }],
  ["placed before a reload", aPlacedOrder({ orderedCart: [] }), { step: "pay" }],
])("an order that is %s is shown instead of the cart", (_, placed, shown) => {
  const purchase = purchaseOf([mug], placed);
  expect(purchase).toMatchObject({ lines: [mug], price: { total: 3_700 }, ...shown });
});

test("only items in the cart that are not in the order are new", () => {
  const isNew = (changes: Partial<PlacedPurchase>, ...lines: Cart) =>
    purchaseOf(lines, aPlacedOrder(changes)).hasNewItems;
  expect(isNew({})).toBe(false);
  expect(isNew({}, { ...mug, quantity: 1 })).toBe(false);
  expect(isNew({}, { ...mug, quantity: 3 })).toBe(true);
  expect(isNew({}, pot)).toBe(true);
  expect(isNew({ orderedCart: [] }, mug)).toBe(true);
});

test("the price is that of the placed order", () => {
  expect(purchaseOf(cart, aPlacedOrder()).price.total).toBe(3_700);
});

/** The state of a subscription to an order. */
function subscribed(
  status: string,
  { hasFailed = false, error }: { hasFailed?: boolean; error?: string } = {},
) {
  const shipping_address = { street: "", city: "", state: "", postal_code: "", country: "" };
  const personalData = { customer_name: "", customer_email: "", shipping_address };
  const order = {
    ...personalData,
    status,
    items: [],
    total_price: 3_700,
    created_at: 1,
    payment_attempt_failed: hasFailed,
  };
  return { connection: "live", order, error } as const;
}
const connecting = { connection: "connecting", order: undefined, error: undefined } as const;
const error = "ContractNotFound";

test.each([
  ["nothing has arrived yet", connecting, "placed", "reported"],
  ["the payment is awaited", subscribed("Pending"), "placed", "reported"],
  ["a loan is active", subscribed("PaymentProcessing"), "active", "active"],
  ["the loan was declined", subscribed("Pending", { hasFailed: true }), "failed", "failed"],
  ["the loan does not fit", subscribed("Pending", { error }), "not-found", "not-found"],
  ["another loan is active", subscribed("PaymentProcessing", { error }), "active", "active"],
  [
    "the lender cannot be reached",
    subscribed("Pending", { error: "ConnectionError" }),
    "placed",
    "reported",
  ],
  ["it is paid", subscribed("PaymentProcessed"), "paid", "paid"],
  ["it has shipped", subscribed("Shipped"), "paid", "paid"],
  ["its status is unknown", subscribed("constructor"), "placed", "reported"],
])("the news of an order if %s", (_, state, whilePaying, afterSuccess) => {
  expect([paymentNews("pay", state), paymentNews("done", state)]).toEqual([
    whilePaying,
    afterSuccess,
  ]);
});

test.each<[PurchaseStep, PaymentNews, object]>([
  ["details", "placed", { hint: "Place your order first, then you can pay." }],
  ["pay", "placed", { isDisabled: false, label: "Finance with Bitcoin", hint: undefined }],
  ["pay", "failed", { isDisabled: false, label: "Finance with Bitcoin" }],
  ["pay", "paid", { isDisabled: true, hint: "This order is paid." }],
  ["done", "reported", { isDisabled: true, hint: "The payment window reported success." }],
  ["done", "active", { isDisabled: true }],
  ["done", "failed", { isDisabled: false, label: "Try payment again" }],
  ["done", "not-found", { isDisabled: false, label: "Try payment again" }],
  ["done", "paid", { isDisabled: true }],
])("the payment button in step %s when the payment is %s", (step, news, button) => {
  expect(paymentButtonOf(step, news)).toMatchObject(button);
});

test.each([
  ["a reported loan", "c1", undefined, /^If your loan was paid out, the shop will refund it/],
  ["no known loan", undefined, undefined, /^Please don't pay for it now\./],
  ["refunded money", "c1", 1_850, /^The shop has refunded \$18\.50\.$/],
])("the refund notice of a cancelled order with %s", (_, loanId, refunded, text) => {
  expect(refundNotice({ loanId }, { refunded })).toMatch(text);
  if (refunded === undefined) expect(refundNotice({ loanId }, undefined)).toMatch(text);
});
