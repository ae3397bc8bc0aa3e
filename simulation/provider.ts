import { shopCurrency } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { LoanChange, LoanTerms } from "./actions.ts";

/** The actual state of a loan at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  /** Whether its amount is reported as a text that is not a number. */
  isUnreadable: boolean;
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

/** The simulated loan provider. */
export interface Provider {
  readonly loans: ReadonlyMap<string, Loan>;
  /** Creates a loan. @param total the order's total in cents */
  lend(id: string, order: { readonly id: string; readonly total: number }, terms: LoanTerms): Loan;
  /**
   * @param other the order that the loan may name instead
   * @returns a description of the change; `undefined` if it is impossible
   */
  change(loan: Loan, change: Exclude<LoanChange, "extend">, other: string): string | undefined;
  /** Adds an extension of a loan, which is not marked yet; `undefined` if that is impossible. */
  extend(loan: Loan): Loan | undefined;
  /** Marks a loan as extended. */
  mark(loan: Loan): void;
  /** Answers `GET path`. */
  answer(path: string): { readonly status: number; readonly body: unknown };
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
const EXTENDED = "Extended";
/** The statuses that prove a payout. */
const paidOutStatuses: ReadonlySet<string> = new Set([...statusPath.slice(PAYOUT), EXTENDED]);
/** The statuses that prove that there is no payout, even if there was one before. */
const endedStatuses: ReadonlySet<string> = new Set([
  "Rejected",
  "ApprovalExpired",
  "CollateralRecoverable",
  "Cancelled",
]);
/** The report of an amount that is not a number. */
const UNREADABLE = "1e2";

export function isPaidOut({ status }: Pick<Loan, "status">): boolean {
  return paidOutStatuses.has(status);
}

export function isEnded({ status }: Pick<Loan, "status">): boolean {
  return endedStatuses.has(status);
}

export function payoutOf({ asset, cents, isUnreadable }: Loan): Payout {
  return {
    currency: asset === DOLLARS ? shopCurrency.code : asset,
    cents: isUnreadable ? undefined : cents,
  };
}

export function createProvider(now: () => number): Provider {
  const loans = new Map<string, Loan>();

  function add(
    loan: Pick<
      Loan,
      "id" | "orderId" | "cents" | "isUnreadable" | "asset" | "status" | "wasPaidOut" | "extends"
    >,
  ): Loan {
    const added = {
      ...loan,
      updatedAt: now(),
      isExtended: false,
      reports: [],
      undisputed: undefined,
      isChanged: false,
    };
    loans.set(loan.id, added);
    return added;
  }

  /** The API's representation of a loan. Its statement about the payout is recorded. */
  function report(loan: Loan) {
    const { id, orderId, cents, isUnreadable, asset, status, updatedAt } = loan;
    if (isPaidOut(loan) || isEnded(loan))
      record(loan, { orderId, payout: isPaidOut(loan) ? payoutOf(loan) : undefined });
    return {
      id,
      status,
      loan_amount: isUnreadable ? UNREADABLE : (cents / 100).toFixed(2),
      loan_asset: asset,
      client_contract_id: orderId,
      updated_at: new Date(updatedAt).toISOString(),
    };
  }

  return {
    loans,
    lend(id, order, terms) {
      return add({
        id,
        ...termsOf(order, terms),
        status: "Requested",
        wasPaidOut: false,
        extends: undefined,
      });
    },
    change(loan, change, other) {
      const before = describe(loan);
      applyChange(loan, change, other);
      if (describe(loan) === before) return undefined;
      loan.updatedAt = now();
      return describe(loan);
    },
    extend(loan) {
      if (loan.status !== "PrincipalGiven" || loan.isExtended) return undefined;
      loan.isExtended = true;
      const { orderId, cents, isUnreadable, asset, status } = loan;
      const same = { orderId, cents, isUnreadable, asset, status };
      return add({ ...same, id: `${loan.id}-x`, wasPaidOut: true, extends: loan.id });
    },
    mark(loan) {
      if (isEnded(loan)) return;
      loan.status = EXTENDED;
      loan.undisputed = undefined;
      loan.updatedAt = now();
    },
    answer(path) {
      if (path === "/api/users/me") return { status: 200, body: { id: "the-shop" } };
      if (path === "/api/contracts") return { status: 200, body: [...loans.values()].map(report) };
      const loan = loans.get(decodeURIComponent(path.replace("/api/contracts/", "")));
      return loan === undefined ? { status: 404, body: {} } : { status: 200, body: report(loan) };
    },
  };
}

function termsOf(
  { id, total }: { readonly id: string; readonly total: number },
  terms: LoanTerms,
): Pick<Loan, "orderId" | "cents" | "isUnreadable" | "asset"> {
  const exact = { orderId: id, cents: total, isUnreadable: false, asset: DOLLARS };
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
    case "unreadable":
      return { ...exact, isUnreadable: true };
  }
}

function record(loan: Loan, report: Report): void {
  const isKnown = (one: Report) => JSON.stringify(one) === JSON.stringify(report);
  if (!loan.reports.some(isKnown)) loan.reports.push(report);
}

function describe({ status, cents, isUnreadable, orderId }: Loan): string {
  const amount = isUnreadable ? UNREADABLE : `$${(cents / 100).toFixed(2)}`;
  return `${status}, ${amount}, for ${orderId?.slice(0, 8) ?? "no order"}`;
}

function applyChange(loan: Loan, change: Exclude<LoanChange, "extend">, other: string): void {
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
      loan.isUnreadable = false;
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
