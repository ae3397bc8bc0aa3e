import {
  balanceIn,
  balancesOf,
  type Cents,
  formatMoney,
  type GrantKind,
  grantsIn,
  isPaidStatus,
  loanPayoutOf,
  refundedIn,
  shopCurrency,
  sumOf,
  unknownIn,
} from "@keepsats/domain";
import { idempotencyConflict, Refusal } from "../../../platform/refusal.ts";
import { moneyByLoan } from "./loan-money.ts";
import { type AccountEntry, type LoanAccount, type NewEntry, newEntry } from "./types.ts";

// Refunds that staff make: of money that is due, or granted although the money pays the order.

/** A refund that staff have made outside of the shop. */
export interface NewRefund {
  /** The same for a repeated request. */
  readonly refundId: string;
  /** More than 0. */
  readonly amount: Cents;
  /** Defaults to the currency of the issue's loan, or else the shop's. */
  readonly currency?: string | undefined;
  /** Such as `bank transfer`. */
  readonly method: string;
  readonly reference?: string | undefined;
  readonly reason?: string | undefined;
  readonly issue?: { readonly id: string; readonly loanId: string } | undefined;
  /** The refunded amount in this currency that staff have seen. */
  readonly expectedRefunded?: Cents | undefined;
  /** Why it is granted; `undefined` for a refund of money that is due. */
  readonly grant?: GrantKind | undefined;
}

type Recorded = { readonly kind: "recorded"; readonly entries: readonly NewEntry[] };

type RefundDecision =
  | Recorded
  /** An earlier request with the same id recorded it. */
  | { readonly kind: "repeated" }
  | Refusal;

export const refundIdReused = idempotencyConflict("with another refund of this order");

function moreThan(refundable: Cents, currency: string): Refusal {
  const detail = `At most ${formatMoney(refundable, currency)} may be refunded.`;
  return new Refusal("more_than_refundable", { detail, refundable, currency });
}

/**
 * Decides whether a refund may be recorded, and with which entries. All refunds together cannot
 * exceed the received amount. Granted refunds cannot exceed the part of the price that the shop
 * has.
 */
export function refundOf(request: NewRefund, account: LoanAccount): RefundDecision {
  const { amount, issue, refundId, method, reference, reason } = request;
  const { entries } = account;
  const loanId = issue?.loanId;
  const payout = loanId === undefined ? undefined : loanPayoutOf(entries, loanId);
  const currency = request.currency ?? payout?.currency ?? shopCurrency.code;
  const earlier = entries.find((entry) => entry.kind === "refunded" && entry.refundId === refundId);
  if (earlier !== undefined)
    return isRepeated(earlier, { ...request, currency }) ? { kind: "repeated" } : refundIdReused;
  const { received, refunded, refundable } = balanceIn(balancesOf(account), currency);
  if ((request.expectedRefunded ?? refunded) !== refunded) {
    const whose = account.order === undefined ? "of its money" : "of this order";
    const detail = `By now ${formatMoney(refunded, currency)} ${whose} has been refunded. This refund was not recorded.`;
    return new Refusal("refunds_changed", { detail });
  }
  if (request.grant !== undefined) return grantOf(request, request.grant, account);
  const values = {
    amount,
    currency,
    loanId,
    orderId: account.order?.id,
    refundId,
    issueId: issue?.id,
  };
  const refund = newEntry("refunded", { ...values, method, reference, reason });
  const loanEntries = entries.filter((entry) => entry.loanId === loanId);
  if (payout?.currency === currency && unknownIn(loanEntries) > 0) {
    // The refund of an unknown amount says how much it was, and so do earlier ones: the amount may
    // have been known when they were recorded.
    const brought = amount + Math.max(0, refunded - received);
    const correction = newEntry("corrected", { ...values, amount: brought, unknown: -1 });
    return { kind: "recorded", entries: [correction, refund] };
  }
  if (amount > refundable) return moreThan(refundable, currency);
  return { kind: "recorded", entries: [refund] };
}

function isRepeated(
  earlier: AccountEntry,
  { amount, currency, method, reference, issue, grant }: NewRefund,
): boolean {
  // Erasing an order removes its texts.
  const isErased = earlier.method === undefined;
  return (
    earlier.amount === amount &&
    earlier.currency === currency &&
    (isErased || (earlier.method === method && earlier.reference === reference)) &&
    earlier.issueId === issue?.id &&
    earlier.grant === grant
  );
}

/** Decides whether the price of a paid order may be reduced, and that part of it refunded. */
function grantOf(
  { amount, refundId, method, reference, reason }: NewRefund,
  grant: GrantKind,
  account: LoanAccount,
): RefundDecision {
  const { order } = account;
  if (order === undefined || !isPaidStatus(order.status)) return notPaid(order?.status ?? "");
  const { refundable, grantable } = balancesOf(account).shop;
  const currency = shopCurrency.code;
  if (refundable > 0)
    return new Refusal("refund_due", {
      detail: `Refund ${formatMoney(refundable, currency)} that is due first, without a grant. This refund was not recorded.`,
      refund_due: refundable,
      currency,
    });
  if (amount > grantable) return moreThan(grantable, currency);
  const values = { amount, currency, orderId: order.id, refundId, grant };
  return {
    kind: "recorded",
    entries: [
      // It names no loan: a later correction of a loan must not undo the grant.
      newEntry("waived", { ...values, loanId: undefined, reason }),
      // It names a payer, so that it does not count for a payout that pays nothing.
      newEntry("refunded", { ...values, loanId: lastPayer(account), method, reference, reason }),
    ],
  };
}

function notPaid(status: string): Refusal {
  return new Refusal("not_grantable", {
    detail: `A refund can be granted only for a paid order. This order is ${status}.`,
    current_status: status,
  });
}

/** The last loan that pays the price. A lower price frees its money first. */
function lastPayer(account: LoanAccount): string | undefined {
  return [...moneyByLoan(account).values()].findLast(({ share }) => share > 0)?.loan.id;
}

/** The granted refunds that did not arrive. */
export function reversedGrantsIn(entries: readonly AccountEntry[]): Cents {
  const granted = new Set(grantsIn(entries).map(({ refundId }) => refundId));
  const ofGrants = entries.filter(({ refundId }) => granted.has(refundId));
  return sumOf(ofGrants, ["refund-reversed"]);
}

export const UNKNOWN_REFUND = "No refund has this id.";

/**
 * Decides whether a refund may be recorded as not arrived, and with which entry: the shop has the
 * money again.
 */
export function refundReversalOf(refundId: string, account: LoanAccount): Recorded | Refusal {
  const refundEntries = account.entries.filter((entry) => entry.refundId === refundId);
  const refund = refundEntries.find(({ kind }) => kind === "refunded");
  if (refund === undefined) return new Refusal("not_found", { detail: UNKNOWN_REFUND });
  const amount = refundedIn(refundEntries);
  if (amount <= 0)
    return new Refusal("reversed_already", {
      detail: "This refund was reversed before. Nothing was recorded.",
    });
  const { currency, loanId, orderId, issueId } = refund;
  const values = { amount, currency, loanId, orderId, issueId, refundId };
  return { kind: "recorded", entries: [newEntry("refund-reversed", values)] };
}
