/**
 * The currency of every price: the only place that names it. Amounts are whole hundredths of it (`Cents`) everywhere; a
 * currency with other decimals needs a change of `money.ts` too. Which loans are paid out in it is said by the loan
 * provider's adapter.
 */
export const currency = {
  /** ISO 4217. */
  code: "USD",
  /** Stands before the amount on the screen. */
  symbol: "$",
  /** In messages to people: "a price is more than 0 dollars". */
  plural: "dollars",
} as const;
