import { type Cents, formatMoney } from "./money.ts";

/** Money that was given back, and how. */
interface RefundWords {
  readonly cents: Cents;
  readonly method: string;
  readonly reference?: string | undefined;
}

/** What a refund says, such as `$12.50 by bank transfer, reference 17`. */
export function refundText({ cents, method, reference }: RefundWords): string {
  return `${formatMoney(cents)} by ${method}${reference === undefined ? "" : `, reference ${reference}`}`;
}
