import { type Cents, decimalFromCents } from "@keepsats/domain";

/** What the provider's pop-up is told. */
export interface WidgetInputs {
  /** What is to be paid, in cents. */
  readonly amount: Cents;
  /** The shop's account at the provider. */
  readonly lenderId: string;
  readonly orderId: string;
  readonly network: string;
  readonly inviteCode: string;
}

/** The provider's hosts: `mainnet` has one of its own, any other network has the test host. */
export interface PopupHosts {
  readonly mainnet: string;
  readonly test: string;
}

/** The origin of the pop-up on a network, such as `https://pay.example`. */
export function popupOrigin(network: string, hosts: PopupHosts): string {
  return network === "mainnet" ? hosts.mainnet : hosts.test;
}

/** The address of the pop-up. */
export function widgetUrl(inputs: WidgetInputs, hosts: PopupHosts): URL {
  const url = new URL("/", popupOrigin(inputs.network, hosts));
  url.searchParams.set("amount", decimalFromCents(inputs.amount));
  url.searchParams.set("lender_id", inputs.lenderId);
  url.searchParams.set("order_id", inputs.orderId);
  url.searchParams.set("code", inputs.inviteCode);
  return url;
}
