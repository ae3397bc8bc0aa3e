import { type CartLine, cartTotal } from "./cart.ts";
import type { Cents } from "./money.ts";

/**
 * The shipping costs of an order, decided only here. Shipping is free.
 *
 * Example for $4.90, and free from $50: `return subtotal >= 5_000 ? 0 : 490;`
 *
 * @param _subtotal the sum of all lines, in cents
 * @returns cents
 */
function shippingCost(_subtotal: Cents): Cents {
  return 0;
}

/** In cents; `total` is `subtotal` + `shipping`. */
export interface OrderPrice {
  readonly subtotal: Cents;
  readonly shipping: Cents;
  readonly total: Cents;
}

/**
 * The price of a new order. The storefront uses it for the cart, and the server for the order that
 * it stores.
 */
export function priceOf(lines: readonly Pick<CartLine, "price" | "quantity">[]): OrderPrice {
  const subtotal = cartTotal(lines);
  const shipping = shippingCost(subtotal);
  return { subtotal, shipping, total: subtotal + shipping };
}

/** The price of a placed order. Its total is the stored one, even if shipping costs have changed. */
export function priceOfPlaced(
  lines: readonly Pick<CartLine, "price" | "quantity">[],
  total: Cents,
): OrderPrice {
  const subtotal = cartTotal(lines);
  return { subtotal, shipping: total - subtotal, total };
}
