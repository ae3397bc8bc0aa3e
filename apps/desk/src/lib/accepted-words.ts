import { type Cents, formatMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

/** What the judgement depends on. */
interface Judged {
  readonly ledger: Pick<MerchantOrder["ledger"], "missing">;
  readonly mismatches: readonly {
    readonly resolution: Pick<NonNullable<MerchantOrder["mismatches"][number]["resolution"]>, "kind"> | null;
  }[];
}

/** Whether less than the total of an order was taken as its payment. */
export function isAcceptedAsPaid({ ledger, mismatches }: Judged): boolean {
  return ledger.missing > 0 && mismatches.some(({ resolution }) => resolution?.kind === "accepted");
}

/** Says that less than the total was taken as the payment. @param waived what it is less, in cents */
export function acceptedText(waived: Cents): string {
  return `Accepted as full payment; ${formatMoney(waived)} waived`;
}
