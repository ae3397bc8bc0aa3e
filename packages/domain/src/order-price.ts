import { type BasketLine, basketTotal } from "./basket.ts";
import type { Cents } from "./money.ts";
import { shippingCost } from "./shipping.ts";

/** The price of an order in cents; `total` is `subtotal` + `shipping`. */
export interface OrderPrice {
  readonly subtotal: Cents;
  readonly shipping: Cents;
  readonly total: Cents;
}

/**
 * The price of a new order. The web app uses it for the basket, and the server for the order that
 * it stores.
 */
export function priceOf(lines: readonly Pick<BasketLine, "price" | "quantity">[]): OrderPrice {
  const subtotal = basketTotal(lines);
  const shipping = shippingCost(subtotal);
  return { subtotal, shipping, total: subtotal + shipping };
}

/**
 * The price of a placed order. Its stored total is fixed, also when the shipping costs have changed
 * since.
 */
export function priceOfPlaced(
  lines: readonly Pick<BasketLine, "price" | "quantity">[],
  total: Cents,
): OrderPrice {
  const subtotal = basketTotal(lines);
  return { subtotal, shipping: total - subtotal, total };
}
