import type { Address, CheckoutForm } from "@keepsats/domain";

/** What the shopper has typed, and whether the billing address is the shipping address. */
export interface Draft extends CheckoutForm {
  readonly sameBilling: boolean;
}

const noAddress: Address = { street: "", city: "", state: "", postal_code: "", country: "" };
const blank: Draft = {
  customer_name: "",
  customer_email: "",
  shipping_address: noAddress,
  billing_address: noAddress,
  sameBilling: true,
};

let kept = blank;

/** What was typed before the shopper went to look at something else. It is kept in memory only. */
export function readDraft(): Draft {
  return kept;
}

export function keepDraft(draft: Draft): void {
  kept = structuredClone(draft);
}

export function clearDraft(): void {
  kept = blank;
}
