import { shopCurrency } from "@keepsats/domain";

/** The actual state of a loan at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  /** Whether the provider reports the amount as a number. */
  isReadable: boolean;
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
const paidOutStatuses = [...statusPath.slice(PAYOUT), EXTENDED];
/** The statuses that prove that there is no payout, even if there was one before. */
const endedStatuses = ["Rejected", "ApprovalExpired", "CollateralRecoverable", "Cancelled"];

export function amountOf({ cents, isReadable }: Loan): string {
  return isReadable ? (cents / 100).toFixed(2) : "1e2";
}

export function isPaidOut({ status }: Loan): boolean {
  return paidOutStatuses.includes(status);
}

export function isEnded({ status }: Loan): boolean {
  return endedStatuses.includes(status);
}

export function payoutOf({ asset, cents, isReadable }: Loan): Payout {
  return {
    currency: asset === DOLLARS ? shopCurrency.code : asset,
    cents: isReadable ? cents : undefined,
  };
}

type Terms = Pick<Loan, "orderId" | "cents" | "isReadable" | "asset">;

/** What a loan lends, and for which order; by default the order's total in dollars. */
const deviations = {
  exact: () => ({}),
  more: ({ cents }) => ({ cents: cents + 1_000 }),
  less: ({ cents }) => ({ cents: Math.max(1, cents - 1) }),
  euros: () => ({ asset: "Eur" }),
  token: () => ({ asset: "UsdcMine" }),
  unreadable: () => ({ isReadable: false }),
  unnamed: () => ({ orderId: null }),
  misnamed: () => ({ orderId: "order 12" }),
} satisfies Readonly<Record<string, (exact: Terms) => Partial<Terms>>>;
export type LoanTerms = keyof typeof deviations;

export function termsOf(
  { id, total }: { readonly id: string; readonly total: number },
  terms: LoanTerms,
): Terms {
  const exact = { orderId: id, cents: total, isReadable: true, asset: DOLLARS };
  return { ...exact, ...deviations[terms](exact) };
}

export function describeLoan(loan: Loan): string {
  return `${loan.status}, ${amountOf(loan)}, for ${loan.orderId?.slice(0, 8) ?? "no order"}`;
}

function interrupt(loan: Loan, status: string): void {
  if (!statusPath.includes(loan.status)) return;
  loan.undisputed = loan.status;
  loan.status = status;
}

function changeAmount(loan: Loan, cents: number): void {
  loan.cents = cents;
  loan.isChanged ||= loan.wasPaidOut;
}

/** What can happen to a loan; nothing, if it is in another status. */
export const loanChanges = {
  advance(loan: Loan): void {
    const place = statusPath.indexOf(loan.status);
    if (place < 0) return;
    loan.status = statusPath[place + 1] ?? loan.status;
    loan.wasPaidOut ||= isPaidOut(loan);
  },
  reject(loan: Loan): void {
    const place = statusPath.indexOf(loan.status);
    if (!loan.wasPaidOut && place >= 0) loan.status = place === 0 ? "Rejected" : "ApprovalExpired";
  },
  recover(loan: Loan): void {
    if (!loan.wasPaidOut && statusPath.indexOf(loan.status) >= 2)
      loan.status = "CollateralRecoverable";
  },
  dispute(loan: Loan): void {
    interrupt(loan, "DisputeBorrowerStarted");
  },
  "unknown-status": (loan: Loan): void => {
    interrupt(loan, "MarginCalled");
  },
  "end-dispute": (loan: Loan): void => {
    loan.status = loan.undisputed ?? loan.status;
    loan.undisputed = undefined;
  },
  "reverse-payout": (loan: Loan): void => {
    if (!loan.wasPaidOut) return;
    loan.status = "Cancelled";
    loan.isChanged = true;
  },
  "repeat-payout": (loan: Loan): void => {
    if (loan.wasPaidOut && loan.status === "Cancelled") loan.status = "PrincipalGiven";
  },
  reactivate(loan: Loan): void {
    if (statusPath.indexOf(loan.status) < PAYOUT) return;
    loan.status = "CollateralConfirmed";
    loan.isChanged = true;
  },
  "lower-amount": (loan: Loan): void => {
    changeAmount(loan, Math.floor(loan.cents / 2));
    // The provider corrects the whole amount.
    loan.isReadable = true;
  },
  "raise-amount": (loan: Loan): void => changeAmount(loan, loan.cents + 777),
  "name-other-order": (loan: Loan, other: string | undefined): void => {
    loan.orderId = other ?? loan.orderId;
    loan.isChanged ||= loan.wasPaidOut && other !== undefined;
  },
} satisfies Readonly<Record<string, (loan: Loan, otherOrder: string | undefined) => void>>;
export type LoanChange = keyof typeof loanChanges;
