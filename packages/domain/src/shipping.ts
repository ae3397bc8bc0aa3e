import type { Cents } from "./money.ts";

/**
 * What shipping costs: the only place that decides it. It is free.
 *
 * Example, free from $50 and $4.90 below: `return subtotal >= 5_000 ? 0 : 490;`
 *
 * @param _subtotal the sum of all lines, in cents
 * @returns cents
 */
export function shippingCost(_subtotal: Cents): Cents {
  return 0;
}
