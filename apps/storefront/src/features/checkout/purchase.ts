import {
  type Cart,
  type CartLine,
  formatMoney,
  type ItemQuantity,
  isOrderStatus,
  type OrderPrice,
  type OrderStatus,
  priceOf,
  priceOfPlaced,
} from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import type { SubscriptionState } from "../../lib/use-order-stream.ts";
import type { PlacedPurchase } from "./open-purchase.ts";

/** `pay`: the order is placed but not paid. `done`: the widget has reported success. */
export type PurchaseStep = "details" | "pay" | "done";

export interface Purchase {
  readonly step: PurchaseStep;
  readonly lines: readonly CartLine[];
  readonly price: OrderPrice;
  /** The cart has items that are not in the order. */
  readonly hasNewItems: boolean;
}

export function purchaseOf(cart: Cart, placed: PlacedPurchase | undefined): Purchase {
  if (placed === undefined) {
    return { step: "details", lines: cart, price: priceOf(cart), hasNewItems: false };
  }
  const { items, order } = placed;
  return {
    step: order.loanId === undefined ? "pay" : "done",
    lines: items,
    price: priceOfPlaced(items, order.total_price),
    hasNewItems: hasMoreThan(placed.orderedCart, cart),
  };
}

/**
 * The last event of the payment of a placed order. `placed`: none yet. `reported`: the widget has
 * reported success. From the order stream: `active`: a loan is active. `failed`: the last
 * payment attempt has failed. `not-found`: no loan pays for the order in full. `paid`: the order is
 * paid.
 */
export type PaymentNews = "placed" | "reported" | "active" | "failed" | "not-found" | "paid";

const newsOf: Readonly<Record<OrderStatus, PaymentNews | undefined>> = {
  Pending: undefined,
  PaymentProcessing: "active",
  PaymentProcessed: "paid",
  Shipped: "paid",
  Delivered: "paid",
  Cancelled: undefined,
};

export function paymentNews(step: PurchaseStep, { order, error }: SubscriptionState): PaymentNews {
  const status = order?.status ?? "";
  const news = isOrderStatus(status) ? newsOf[status] : undefined;
  if (news !== undefined) return news;
  if (error === "ContractNotFound") return "not-found";
  if (order?.payment_attempt_failed === true) return "failed";
  return step === "done" ? "reported" : "placed";
}

/** Whether the last payment attempt has failed, so that the order awaits another one. */
export function hasFailed(news: PaymentNews): boolean {
  return news === "failed" || news === "not-found";
}

/** The step that is shown as the current one: `pay` lasts until the order is paid. */
export function currentStepOf(step: PurchaseStep, news: PaymentNews): PurchaseStep {
  return step === "done" && news !== "paid" ? "pay" : step;
}

/**
 * The payment button, and why it is disabled. After a reported success that does not pay the order,
 * the order can be paid again.
 */
export function paymentButtonOf(step: PurchaseStep, news: PaymentNews) {
  const label = "Finance with Bitcoin";
  if (step === "details")
    return { isDisabled: false, label, hint: "Place your order first, then you can pay." };
  if (news === "paid") return { isDisabled: true, label, hint: "This order is paid." };
  if (step === "pay") return { isDisabled: false, label, hint: undefined };
  if (hasFailed(news)) return { isDisabled: false, label: "Try payment again", hint: undefined };
  return { isDisabled: true, label, hint: "The payment window reported success." };
}

/**
 * The refund of a cancelled order. A pop-up may still be open, and its loan may still be paid out.
 *
 * @param order the saved order, with a loan if the widget has reported success
 * @param subscribed the order from the order stream, once it has arrived
 */
export function refundNotice(
  { loanId }: Pick<SavedOrder, "loanId">,
  subscribed: Pick<SubscribedOrder, "refunded"> | undefined,
): string {
  if (subscribed?.refunded) return `The shop has refunded ${formatMoney(subscribed.refunded)}.`;
  return loanId === undefined
    ? "Please don't pay for it now. If a loan is paid out anyway, the shop will refund it."
    : "If your loan was paid out, the shop will refund it and contact you.";
}

function hasMoreThan(ordered: readonly ItemQuantity[], cart: Cart): boolean {
  return cart.some(
    ({ id, quantity }) => quantity > (ordered.find((line) => line.id === id)?.quantity ?? 0),
  );
}
