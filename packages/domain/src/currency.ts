/**
 * The currency of all prices, defined only here. Amounts are whole hundredths of it (`Cents`); a
 * currency with another number of decimals needs changes in `money.ts` too. The adapter of the loan
 * provider defines which loan assets are this currency.
 */
export const currency = {
  /** ISO 4217 code. */
  code: "USD",
  /** Shown before an amount: `$12.50`. */
  symbol: "$",
  /** For messages, such as "a price is more than 0 dollars". */
  plural: "dollars",
  /** In messages to people: "it lends euros, which is no dollar". */
  singular: "dollar",
} as const;
