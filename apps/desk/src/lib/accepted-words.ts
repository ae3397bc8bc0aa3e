import { type Cents, formatGroupedMoney } from "@keepsats/domain";

/** What the judgement depends on; the kind of a resolution may be one of a newer server. */
interface Judged {
  readonly ledger: { readonly missing: Cents };
  readonly mismatches: readonly { readonly resolution: { readonly kind: string } | null }[];
}

/** Whether less than the total of an order was taken as its payment. */
export function isAcceptedAsPaid({ ledger, mismatches }: Judged): boolean {
  return ledger.missing > 0 && mismatches.some(({ resolution }) => resolution?.kind === "accepted");
}

/**
 * Says that less than the total was taken as the payment. @param waived what it is less, in cents
 */
export function acceptedText(waived: Cents): string {
  return `Accepted as full payment; ${formatGroupedMoney(waived)} waived`;
}
