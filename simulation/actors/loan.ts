import { shopCurrency } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { LoanChange, LoanTerms } from "./actions.ts";

/**
 * How the provider reports an amount: as a text, as a number, with a fraction of a cent, or as a text
 * that is not a number.
 */
type AmountForm = "text" | "number" | "fraction" | "unreadable";

/** The actual state of a loan at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  form: AmountForm;
  asset: string;
  status: string;
  updatedAt: number;
  /** Whether its principal has ever been paid out. */
  wasPaidOut: boolean;
  /** The id of the loan that it extends; an extension brings no money of its own. */
  readonly extends: string | undefined;
  /** Whether another loan extends it. */
  isExtended: boolean;
  /** All that the provider has reported to the shop about its payout. */
  readonly reports: Report[];
  /** The status before a dispute. */
  undisputed: string | undefined;
  /** Whether the provider has changed it after the payout. */
  isChanged: boolean;
}

/** A payout as it was reported to the shop; `undefined` for none, or a reversed one. */
export interface Report {
  readonly orderId: string | null;
  readonly payout: Payout | undefined;
}

/** An unknown amount is `undefined`. */
export interface Payout {
  readonly currency: string;
  readonly cents: number | undefined;
}

/** The names of dollars in this provider's API. */
const DOLLARS = "UsdcPol";
const statusPath = [
  "Requested",
  "Approved",
  "CollateralSeen",
  "CollateralConfirmed",
  "PrincipalGiven",
  "RepaymentProvided",
  "RepaymentConfirmed",
  "Closing",
  "Closed",
];
const PAYOUT = statusPath.indexOf("PrincipalGiven");
export const EXTENDED = "Extended";
/** The statuses that prove a payout. */
const paidOutStatuses: ReadonlySet<string> = new Set([...statusPath.slice(PAYOUT), EXTENDED]);
/** The statuses that prove that there is no payout, even if there was one before. */
const endedStatuses: ReadonlySet<string> = new Set([
  "Rejected",
  "ApprovalExpired",
  "CollateralRecoverable",
  "Cancelled",
]);

export function amountOf({ cents, form }: Pick<Loan, "cents" | "form">): string | number {
  switch (form) {
    case "text":
      return (cents / 100).toFixed(2);
    case "number":
      return cents / 100;
    case "fraction":
      return `${(cents / 100).toFixed(2)}4`;
    case "unreadable":
      return "1e2";
  }
}

export function isPaidOut({ status }: Pick<Loan, "status">): boolean {
  return paidOutStatuses.has(status);
}

export function isEnded({ status }: Pick<Loan, "status">): boolean {
  return endedStatuses.has(status);
}

export function payoutOf({ asset, cents, form }: Loan): Payout {
  return {
    currency: asset === DOLLARS ? shopCurrency.code : asset,
    cents: form === "unreadable" ? undefined : cents,
  };
}

export function termsOf(
  { id, total }: { readonly id: string; readonly total: number },
  terms: LoanTerms,
): Pick<Loan, "orderId" | "cents" | "form" | "asset"> {
  const exact = { orderId: id, cents: total, form: "text", asset: DOLLARS } as const;
  switch (terms) {
    case "exact":
      return exact;
    case "more":
      return { ...exact, cents: total + 1_000 };
    case "less":
      return { ...exact, cents: Math.max(1, total - 1) };
    case "euros":
      return { ...exact, asset: "Eur" };
    case "token":
      return { ...exact, asset: "UsdcMine" };
    case "unnamed":
      return { ...exact, orderId: null };
    case "misnamed":
      return { ...exact, orderId: "order 12" };
    case "number":
    case "fraction":
    case "unreadable":
      return { ...exact, form: terms };
  }
}

export function describeLoan(loan: Loan): string {
  return `${loan.status}, ${amountOf(loan)}, for ${loan.orderId?.slice(0, 8) ?? "no order"}`;
}

export function applyChange(
  loan: Loan,
  change: Exclude<LoanChange, "extend">,
  other: string,
): void {
  const place = statusPath.indexOf(loan.status);
  switch (change) {
    case "advance":
      if (place < 0) return;
      loan.status = statusPath[place + 1] ?? loan.status;
      loan.wasPaidOut ||= isPaidOut(loan);
      return;
    case "reject":
      if (!loan.wasPaidOut && place >= 0)
        loan.status = place === 0 ? "Rejected" : "ApprovalExpired";
      return;
    case "recover":
      if (!loan.wasPaidOut && place >= 2) loan.status = "CollateralRecoverable";
      return;
    case "dispute":
    case "unknown-status":
      if (place < 0) return;
      loan.undisputed = loan.status;
      loan.status = change === "dispute" ? "DisputeBorrowerStarted" : "MarginCalled";
      return;
    case "end-dispute":
      loan.status = loan.undisputed ?? loan.status;
      loan.undisputed = undefined;
      return;
    case "reverse-payout":
      if (!loan.wasPaidOut) return;
      loan.status = "Cancelled";
      loan.isChanged = true;
      return;
    case "repeat-payout":
      if (loan.wasPaidOut && loan.status === "Cancelled") loan.status = "PrincipalGiven";
      return;
    case "reactivate":
      if (place < PAYOUT) return;
      loan.status = "CollateralConfirmed";
      loan.isChanged = true;
      return;
    case "lower-amount":
      loan.cents = Math.floor(loan.cents / 2);
      // The provider corrects the whole amount.
      if (loan.form === "unreadable") loan.form = "text";
      loan.isChanged ||= loan.wasPaidOut;
      return;
    case "raise-amount":
      loan.cents += 777;
      loan.isChanged ||= loan.wasPaidOut;
      return;
    case "name-other-order":
      if (!isOrderId(other)) return;
      loan.orderId = other;
      loan.isChanged ||= loan.wasPaidOut;
      return;
  }
}
