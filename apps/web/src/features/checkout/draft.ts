import { blankAddress, type CheckoutForm, customerFields, forEachField } from "@keepsats/domain";

/** What the shopper has typed, and whether the billing address is the shipping address. */
export interface Draft extends CheckoutForm {
  readonly sameBilling: boolean;
}

/** A form that nobody has typed into. */
export function blankDraft(): Draft {
  return {
    ...forEachField(customerFields, () => ""),
    shipping_address: blankAddress(),
    billing_address: blankAddress(),
    sameBilling: true,
  };
}

/** The draft as it is ordered: while both addresses are the same, the billing address is the shipping address. */
export function withBilling(draft: Draft): Draft {
  return draft.sameBilling ? { ...draft, billing_address: { ...draft.shipping_address } } : draft;
}
