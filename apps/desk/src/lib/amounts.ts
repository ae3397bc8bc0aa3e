import { type Cents, formatGroupedMoneyIn, currency as shopCurrency } from "@keepsats/domain";

/**
 * An amount for staff: `$1,234.50`, `−$12.00`, `12.00 Eur`, or `unknown`.
 *
 * @param cents in hundredths of the currency; `null` if nobody knows it
 */
export function amountText(cents: Cents | null, currency: string = shopCurrency.code): string {
  if (cents === null) return "unknown";
  const text = formatGroupedMoneyIn(Math.abs(cents), currency);
  return cents < 0 ? `−${text}` : text;
}
