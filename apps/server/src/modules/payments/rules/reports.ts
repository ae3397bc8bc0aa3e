import { isDeepStrictEqual } from "node:util";
import { type Cents, currency } from "@keepsats/domain";
import type { Loan } from "../loans/loan-provider-api.ts";
import { equalPayouts } from "./extensions.ts";
import {
  type Consequences,
  consequences,
  type Known,
  type Move,
  newIssue,
  type PayableOrder,
  type StoredLoan,
} from "./facts.ts";
import { shortfallDetail, unfitDetail, unknownStateDetail } from "./sentences.ts";

// What a report says about a loan, and what it means before the payout.

/** What a loan lends, as the journal has it. */
export type Lent = Pick<StoredLoan, "cents" | "currency" | "amountText">;

/** A rounding error of decimals, in cents. */
const INEXACT = 0.000_001;

/**
 * What a loan lends. An amount within half a cent of the order's total counts as the total, such as
 * 11.999999999999998 for $12.00; any other fraction of a cent is rounded down.
 */
export function lentBy(loan: Loan, total?: Cents): Lent {
  const { unfit, cents, exactCents } = loan;
  const isWhole =
    cents !== undefined && exactCents !== undefined && Math.abs(exactCents - cents) < INEXACT;
  const amountText = isWhole ? undefined : loan.amountText;
  switch (unfit?.kind) {
    case "other-asset":
    case "unknown-asset":
      return { cents, currency: codeOf(unfit.asset), amountText };
    case "no-amount":
      return { cents: undefined, currency: currency.code, amountText };
    case undefined: {
      const isTotal =
        total !== undefined && exactCents !== undefined && Math.abs(exactCents - total) < 0.5;
      return { cents: isTotal ? total : cents, currency: currency.code, amountText };
    }
  }
}

/** An asset that is called like the shop's currency, but is not known to be it, is another one. */
function codeOf(asset: string): string {
  return asset === currency.code ? `another ${asset}` : asset;
}

/**
 * Whether a loan lends enough in the shop's currency to pay an order. The amount of a payout that
 * pays the order is enough, because the loan may extend that one.
 */
export function isEnough(lent: Lent, total: Cents, others: readonly StoredLoan[]): boolean {
  const { cents, currency: code } = lent;
  if (code !== currency.code || cents === undefined) return false;
  return cents >= total || equalPayouts(lent, others).some(({ refusal }) => refusal === undefined);
}

/** A loan as it is reported; what only a payout decides stays as it was stored. */
export function reported({ loan, stored, order, now }: Known, lent: Lent): StoredLoan {
  return {
    id: loan.id,
    orderId: stored?.orderId ?? order?.id,
    namedOrderId: loan.orderId,
    providerStatus: loan.providerStatus,
    state: loan.state,
    ...provenForever(loan, stored),
    cents: lent.cents,
    currency: lent.currency,
    amountText: lent.amountText,
    refusal: stored?.refusal,
    presumedExtensionAt: stored?.presumedExtensionAt,
    paidOutAt: stored?.paidOutAt,
    boundAt: stored?.boundAt ?? now,
    updatedAt: Math.max(loan.updatedAt, stored?.updatedAt ?? 0),
  };
}

function provenForever(loan: Loan, stored: StoredLoan | undefined) {
  return {
    wasActive: loan.state === "active" || stored?.wasActive === true,
    wasExtended: loan.wasExtended || stored?.wasExtended === true,
  };
}

/** The consequences for a loan that the shop stores. */
export function storing(
  stored: StoredLoan | undefined,
  storedLoan: StoredLoan,
  others: Partial<Consequences> = {},
): Consequences {
  const isChanged = !isDeepStrictEqual(stored, storedLoan);
  const kind = storedLoan.refusal === undefined ? "bound" : "refused";
  return consequences(kind, { ...others, storedLoan: isChanged ? storedLoan : undefined });
}

/**
 * A report that is older than the stored one: it still proves that a loan was active or extended.
 */
export function outdated({ loan }: Known, stored: StoredLoan): Consequences {
  return storing(stored, { ...stored, ...provenForever(loan, stored) });
}

/** A loan that has never been paid out. */
export function beforePayout(known: Known): Consequences {
  const { loan, stored, order, others } = known;
  if (order === undefined) return consequences("ignored");
  const lent = lentBy(loan, order.total);
  if (stored === undefined && !isEnough(lent, order.total, others))
    return consequences("refused", { newIssues: [foreseenRefusal(loan, lent, order)] });
  // An unknown status proves nothing, so it leaves the earlier state.
  const state = loan.state === "unknown" ? (stored?.state ?? "unknown") : loan.state;
  return storing(
    stored,
    { ...reported(known, lent), state },
    {
      move: stored?.state === state ? undefined : moveFor(state, order, others),
      newIssues: loan.state === "unknown" ? [unknownState(loan, order)] : [],
    },
  );
}

/** Staff get an email only once there is money. */
function foreseenRefusal(loan: Loan, lent: Lent, { id: orderId, total }: PayableOrder) {
  const kind = lent.currency === currency.code ? "underpaid" : "wrong-currency";
  const detail =
    loan.unfit === undefined ? shortfallDetail(lent.cents, total) : unfitDetail(loan.unfit);
  return newIssue(kind, { loanId: loan.id, orderId, detail, withoutMail: true });
}

function unknownState(loan: Loan, { id: orderId }: PayableOrder) {
  const kind = loan.isDisputed ? "disputed" : "unrecognized";
  return newIssue(kind, { loanId: loan.id, orderId, detail: unknownStateDetail(loan) });
}

function moveFor(
  state: StoredLoan["state"],
  { status }: PayableOrder,
  others: readonly StoredLoan[],
): Move | undefined {
  switch (state) {
    case "active":
      return status === "Pending" ? { kind: "to", to: "PaymentProcessing" } : undefined;
    case "ended":
      if (others.some(paysOrMayPay)) return undefined;
      if (status === "Pending") return { kind: "note-failed-attempt" };
      if (status !== "PaymentProcessing") return undefined;
      return { kind: "to", to: "Pending", attemptFailed: true };
    case "paid-out":
    case "unknown":
      return undefined;
  }
}

export function paysOrMayPay({ state, refusal }: StoredLoan): boolean {
  return state === "active" || (state === "paid-out" && refusal === undefined);
}
