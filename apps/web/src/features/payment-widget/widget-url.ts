import { type Cents, decimalFromCents } from "@keepsats/domain";

/** The parameters of the provider's pop-up. */
export interface WidgetInputs {
  /** The amount to be paid, in cents. */
  readonly amount: Cents;
  /** The shop's account at the provider. */
  readonly lenderId: string;
  readonly orderId: string;
  readonly inviteCode: string;
}

/** The address of the pop-up. @param origin the provider's origin, such as `https://pay.example` */
export function widgetUrl(inputs: WidgetInputs, origin: string): URL {
  const url = new URL("/", origin);
  url.searchParams.set("amount", decimalFromCents(inputs.amount));
  url.searchParams.set("lender_id", inputs.lenderId);
  url.searchParams.set("order_id", inputs.orderId);
  url.searchParams.set("code", inputs.inviteCode);
  return url;
}
