import { balanceIn, balancesOf, type Cents, currency, principalOf, sumOf } from "@keepsats/domain";
import { type AccountEntry, type LoanAccount, type NewEntry, newEntry } from "./rules-facts.ts";

/** Money that staff sent to the customer outside of the shop. */
export interface RefundOrder {
  /** Always the same for a repeated request. */
  readonly refundId: string;
  /** More than 0. */
  readonly amount: Cents;
  /** By default that of the issue's loan, or the shop's. */
  readonly currency?: string | undefined;
  readonly method: string;
  readonly reference?: string | undefined;
  readonly reason?: string | undefined;
  /** The payment issue that the refund is for. */
  readonly issue?: { readonly id: string; readonly loanId: string } | undefined;
  /** What was refunded before in this currency, as staff have seen it. */
  readonly expectedRefunded?: Cents | undefined;
}

export type RefundDecision =
  | { readonly kind: "recorded"; readonly entries: readonly NewEntry[] }
  /** An earlier request with the same id recorded it. */
  | { readonly kind: "repeated" }
  /** The id is that of another refund. */
  | { readonly kind: "key-reused" }
  | { readonly kind: "more-than-refundable"; readonly refundable: Cents; readonly currency: string }
  | { readonly kind: "changed-meanwhile"; readonly refunded: Cents; readonly currency: string };

/** Records a refund. All refunds together cannot exceed what came. */
export function refundOf(request: RefundOrder, account: LoanAccount): RefundDecision {
  const { amount, issue, refundId } = request;
  const loanId = issue?.loanId;
  const principal = loanId === undefined ? undefined : principalOf(account.entries, loanId);
  const code = request.currency ?? principal?.currency ?? currency.code;
  const earlier = account.entries.find(
    (entry) => entry.kind === "refunded" && entry.refundId === refundId,
  );
  if (earlier !== undefined)
    return {
      kind: isRepeated(earlier, { ...request, currency: code }) ? "repeated" : "key-reused",
    };
  const { refunded, refundable } = balanceIn(balancesOf(account), code);
  if ((request.expectedRefunded ?? refunded) !== refunded)
    return { kind: "changed-meanwhile", refunded, currency: code };
  const values = { amount, currency: code, loanId, orderId: account.order?.id };
  const refund = newEntry("refunded", {
    ...values,
    refundId,
    issueId: issue?.id,
    method: request.method,
    reference: request.reference,
    ...(request.reason === undefined ? {} : { reason: request.reason }),
  });
  if (principal?.currency === code && isUndecided(account, loanId)) {
    // What staff refunded of an unknown amount says how much it was.
    const known = newEntry("corrected", { ...values, unknown: -1, refundId, issueId: issue?.id });
    return { kind: "recorded", entries: [known, refund] };
  }
  if (amount > refundable) return { kind: "more-than-refundable", refundable, currency: code };
  return { kind: "recorded", entries: [refund] };
}

/** Whether nobody knows how much a loan brought, and nobody has decided about it. */
function isUndecided({ entries }: LoanAccount, loanId: string | undefined): boolean {
  const own = entries.filter((entry) => entry.loanId === loanId);
  return own.reduce((count, { unknown }) => count + unknown, 0) > 0;
}

function isRepeated(
  earlier: AccountEntry,
  { amount, currency: code, method, reference, issue }: RefundOrder,
): boolean {
  return (
    earlier.amount === amount &&
    earlier.currency === code &&
    earlier.method === method &&
    earlier.reference === reference &&
    earlier.issueId === issue?.id
  );
}

export type RefundReversalDecision =
  | { readonly kind: "recorded"; readonly entries: readonly NewEntry[] }
  | { readonly kind: "not-found" | "reversed-already" };

/** Records that a refund did not arrive: the shop has the money again. */
export function refundReversalOf(refundId: string, account: LoanAccount): RefundReversalDecision {
  const own = account.entries.filter((entry) => entry.refundId === refundId);
  const refund = own.find(({ kind }) => kind === "refunded");
  if (refund === undefined) return { kind: "not-found" };
  const left = sumOf(own, ["refunded"]) - sumOf(own, ["refund-reversed"]);
  if (left <= 0) return { kind: "reversed-already" };
  const { currency: code, loanId, orderId, issueId } = refund;
  const values = { amount: left, currency: code, loanId, orderId, issueId, refundId };
  return { kind: "recorded", entries: [newEntry("refund-reversed", values)] };
}
