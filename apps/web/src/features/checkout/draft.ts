import { blankAddress, type CheckoutForm, customerFields, forEachField } from "@keepsats/domain";

/** The content of the checkout form. */
export interface Draft extends CheckoutForm {
  readonly sameBilling: boolean;
}

/** An empty form. */
export function blankDraft(): Draft {
  return {
    ...forEachField(customerFields, () => ""),
    shipping_address: blankAddress(),
    billing_address: blankAddress(),
    sameBilling: true,
  };
}

/**
 * The draft with its billing address: a copy of the shipping address while `sameBilling` is true.
 */
export function withBilling(draft: Draft): Draft {
  return draft.sameBilling ? { ...draft, billing_address: { ...draft.shipping_address } } : draft;
}
