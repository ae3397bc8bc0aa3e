import { type Cents, formatMoney } from "./money.ts";

/** Money that was refunded, and how. */
interface RefundWords {
  readonly cents: Cents;
  readonly method: string;
  readonly reference?: string | undefined;
}

/** Describes a refund, such as `$12.50 by bank transfer, reference 17`. */
export function refundText({ cents, method, reference }: RefundWords): string {
  return `${formatMoney(cents)} by ${method}${reference === undefined ? "" : `, reference ${reference}`}`;
}
