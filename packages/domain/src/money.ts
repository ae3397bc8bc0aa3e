/**
 * The currency of all prices, defined only here. Amounts are whole hundredths of it (`Cents`); a
 * currency with another number of decimals needs changes in the functions below. The adapter of the
 * loan provider defines which loan assets are this currency.
 */
export const shopCurrency = {
  /** ISO 4217 code. */
  code: "USD",
  /** Shown before an amount: `$12.50`. */
  symbol: "$",
  /** For messages, such as "must be an amount of dollars". */
  plural: "dollars",
  /** For messages, such as "which does not count as a dollar". */
  singular: "dollar",
} as const;

/**
 * An amount of money in whole cents of the shop's {@link shopCurrency}. All prices and totals in the
 * code are cents; amounts such as `12.5` appear only in the API and on the screen.
 */
export type Cents = number;

const decimal = /^(\d{1,13})(?:\.(\d+))?$/;

function parseDecimal(amount: number | string): { cents: Cents; exact: boolean } | undefined {
  const match = decimal.exec(typeof amount === "number" ? String(amount) : amount.trim());
  if (match === null) return undefined;
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  const cents = Number(match[1]) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  return { cents, exact: fraction.length <= 2 };
}

/**
 * Converts an amount of the currency to cents exactly, without floating-point arithmetic.
 *
 * A number is converted from its shortest decimal form, so `0.1 + 0.2` (0.30000000000000004) has no
 * exact cents.
 *
 * @param amount a non-negative number such as `12.5`, or a decimal string such as `"12.50"`
 * @returns whole cents; `undefined` when the value is not such an amount or has a fraction of a
 *   cent
 */
export function centsFromAmount(amount: number | string): Cents | undefined {
  const parsed = parseDecimal(amount);
  return parsed?.exact === true ? parsed.cents : undefined;
}

/**
 * Converts an amount of the currency to cents, rounded down. Example: `"12.509"` → `1250`.
 *
 * @param amount as for {@link centsFromAmount}, with any number of decimals
 * @returns whole cents; `undefined` when the value is not an amount
 */
export function centsCoveredBy(amount: number | string): Cents | undefined {
  return parseDecimal(amount)?.cents;
}

/** Converts cents to an amount of the currency, as in the API: `1250` → `12.5`. */
export function amountFromCents(cents: Cents): number {
  return cents / 100;
}

/**
 * Formats cents with two decimals and without a symbol, as the provider's pop-up takes them: `1250` →
 * `"12.50"`.
 */
export function decimalFromCents(cents: Cents): string {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Formats an amount: `1250` → `"$12.50"`, or `"12.50 EUR"` in another currency. */
export function formatMoney(cents: Cents, currency: string = shopCurrency.code): string {
  const decimal = decimalFromCents(cents);
  return currency === shopCurrency.code
    ? `${shopCurrency.symbol}${decimal}`
    : `${decimal} ${currencyLabel(currency)}`;
}

/** The ISO code of a currency that the loan provider spells like a word: `"Gbp"` → `"GBP"`. */
export function currencyLabel(currency: string): string {
  return /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : currency;
}

/** Like {@link formatMoney}, with thousands separators: `123450` → `"$1,234.50"`. */
export function formatGroupedMoney(cents: Cents, currency?: string): string {
  return formatMoney(cents, currency).replace(/\B(?=(?:\d{3})+\.\d\d)/g, ",");
}

interface Refund {
  readonly cents: Cents;
  /** The shop's currency by default. */
  readonly currency?: string | undefined;
  readonly method: string;
  readonly reference?: string | undefined;
}

/** Describes a refund, such as `$12.50 by bank transfer, reference 17`. */
export function refundText({ cents, currency, method, reference }: Refund): string {
  const suffix = reference === undefined ? "" : `, reference ${reference}`;
  return `${formatGroupedMoney(cents, currency)} by ${method}${suffix}`;
}
