import type { Cents } from "./money.ts";

/**
 * The shipping costs of an order, decided only here. Shipping is free.
 *
 * Example for $4.90, and free from $50: `return subtotal >= 5_000 ? 0 : 490;`
 *
 * @param _subtotal the sum of all lines, in cents
 * @returns cents
 */
export function shippingCost(_subtotal: Cents): Cents {
  return 0;
}
