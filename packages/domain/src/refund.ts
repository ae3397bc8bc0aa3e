import { currency as shopCurrency } from "./currency.ts";
import { type Cents, formatMoneyIn } from "./money.ts";

/** Money that was refunded, and how. */
interface Refund {
  readonly cents: Cents;
  /** The shop's currency by default. */
  readonly currency?: string | undefined;
  readonly method: string;
  readonly reference?: string | undefined;
}

/** Describes a refund, such as `$12.50 by bank transfer, reference 17`. */
export function refundText({
  cents,
  currency = shopCurrency.code,
  method,
  reference,
}: Refund): string {
  const suffix = reference === undefined ? "" : `, reference ${reference}`;
  return `${formatMoneyIn(cents, currency)} by ${method}${suffix}`;
}
