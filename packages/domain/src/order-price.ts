import { type BasketLine, basketTotal } from "./basket.ts";
import type { Cents } from "./money.ts";
import { shippingCost } from "./shipping.ts";

/** What an order costs, in cents; `total` is `subtotal` and `shipping` together. */
export interface OrderPrice {
  readonly subtotal: Cents;
  readonly shipping: Cents;
  readonly total: Cents;
}

/** Prices lines that are not ordered yet: the same rule for the basket on the screen and for the order that is stored. */
export function priceOf(lines: readonly Pick<BasketLine, "price" | "quantity">[]): OrderPrice {
  const subtotal = basketTotal(lines);
  const shipping = shippingCost(subtotal);
  return { subtotal, shipping, total: subtotal + shipping };
}

/** The price of an order that was placed: its total stands, whatever shipping costs today. */
export function priceOfPlaced(
  lines: readonly Pick<BasketLine, "price" | "quantity">[],
  total: Cents,
): OrderPrice {
  const subtotal = basketTotal(lines);
  return { subtotal, shipping: total - subtotal, total };
}
