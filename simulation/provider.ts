import { currency as shopCurrency } from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { Deal, LoanMove } from "./plan.ts";

/** The true state of a loan at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  /** Whether its amount is reported as a text that is no number. */
  isUnreadable: boolean;
  asset: string;
  status: string;
  updatedAt: number;
  /** Whether its principal has ever been paid out. */
  given: boolean;
  /** The id of the loan that it extends; an extension brings no money of its own. */
  readonly extends: string | undefined;
  /** Whether another loan extends it. */
  isExtended: boolean;
  /** Everything that the provider has reported to the shop of its payout. */
  readonly reports: Report[];
  /** The status before a dispute. */
  undisputed: string | undefined;
  /** Whether the provider has changed it after the payout. */
  isChanged: boolean;
}

/** A payout as it was reported to the shop; without an amount it is none, or none any more. */
export interface Report {
  readonly orderId: string | null;
  readonly payout: Payout | undefined;
}

/** Money that a loan brings; an unknown amount is `undefined`. */
export interface Payout {
  readonly currency: string;
  readonly cents: number | undefined;
}

/** The simulated loan provider: its loans, and how it answers at present. */
export interface Provider {
  readonly loans: ReadonlyMap<string, Loan>;
  /** Creates a loan. @param total the order's total in cents */
  lend(id: string, order: { readonly id: string; readonly total: number }, deal: Deal): Loan;
  /**
   * Changes a loan, if that is possible.
   *
   * @param other the order that the loan may name instead
   * @returns a description of the change; `undefined` if it was not possible
   */
  move(loan: Loan, move: Exclude<LoanMove, "extend">, other: string): string | undefined;
  /** Adds a loan that extends another one, which is not marked yet; `undefined` if it cannot. */
  extend(loan: Loan): Loan | undefined;
  /** Marks a loan that another one extends. */
  mark(loan: Loan): void;
  /** Answers `GET path`. */
  answer(path: string): { readonly status: number; readonly body: unknown };
}

/** The names of dollars in this provider's API. */
const DOLLARS = "UsdcPol";
const PATH = [
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
const GIVEN = PATH.indexOf("PrincipalGiven");
const EXTENDED = "Extended";
/** The statuses of this provider that prove a payout. */
const proving: ReadonlySet<string> = new Set([...PATH.slice(GIVEN), EXTENDED]);
/** The statuses of a loan that brings no money, whatever was paid out before. */
const ended: ReadonlySet<string> = new Set([
  "Rejected",
  "ApprovalExpired",
  "CollateralRecoverable",
  "Cancelled",
]);
/** What is reported of an amount that is no number. */
const UNREADABLE = "1e2";

/** Whether a loan counts as paid out, by its present status. */
export function isPaidOut({ status }: Pick<Loan, "status">): boolean {
  return proving.has(status);
}

/** Whether a loan counts as ended without a payout, by its present status. */
export function isEnded({ status }: Pick<Loan, "status">): boolean {
  return ended.has(status);
}

/** What a loan brings by its present terms, if it is paid out. */
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
      "id" | "orderId" | "cents" | "isUnreadable" | "asset" | "status" | "given" | "extends"
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

  /** The API's representation of a loan. What it says of its payout is recorded. */
  function told(loan: Loan) {
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
    lend(id, order, deal) {
      return add({
        id,
        ...terms(order, deal),
        status: "Requested",
        given: false,
        extends: undefined,
      });
    },
    move(loan, move, other) {
      const before = describe(loan);
      change(loan, move, other);
      if (describe(loan) === before) return undefined;
      loan.updatedAt = now();
      return describe(loan);
    },
    extend(loan) {
      if (loan.status !== "PrincipalGiven" || loan.isExtended) return undefined;
      loan.isExtended = true;
      const { orderId, cents, isUnreadable, asset, status } = loan;
      const terms = { orderId, cents, isUnreadable, asset, status };
      return add({ ...terms, id: `${loan.id}-x`, given: true, extends: loan.id });
    },
    mark(loan) {
      if (isEnded(loan)) return;
      loan.status = EXTENDED;
      loan.undisputed = undefined;
      loan.updatedAt = now();
    },
    answer(path) {
      if (path === "/api/users/me") return { status: 200, body: { id: "the-shop" } };
      if (path === "/api/contracts") return { status: 200, body: [...loans.values()].map(told) };
      const loan = loans.get(decodeURIComponent(path.replace("/api/contracts/", "")));
      return loan === undefined ? { status: 404, body: {} } : { status: 200, body: told(loan) };
    },
  };
}

function terms(
  { id, total }: { readonly id: string; readonly total: number },
  deal: Deal,
): Pick<Loan, "orderId" | "cents" | "isUnreadable" | "asset"> {
  const right = { orderId: id, cents: total, isUnreadable: false, asset: DOLLARS };
  switch (deal) {
    case "right":
      return right;
    case "more":
      return { ...right, cents: total + 1_000 };
    case "less":
      return { ...right, cents: Math.max(1, total - 1) };
    case "euros":
      return { ...right, asset: "Eur" };
    case "token":
      return { ...right, asset: "UsdcMine" };
    case "unnamed":
      return { ...right, orderId: null };
    case "unreadable":
      return { ...right, isUnreadable: true };
  }
}

function record(loan: Loan, report: Report): void {
  const isKnown = (one: Report) => JSON.stringify(one) === JSON.stringify(report);
  if (!loan.reports.some(isKnown)) loan.reports.push(report);
}

function describe({ status, cents, isUnreadable, orderId }: Loan): string {
  const amount = isUnreadable ? UNREADABLE : `$${(cents / 100).toFixed(2)}`;
  return `${status}, ${amount}, for ${orderId?.slice(0, 8) ?? "nobody"}`;
}

function change(loan: Loan, move: Exclude<LoanMove, "extend">, other: string): void {
  const place = PATH.indexOf(loan.status);
  switch (move) {
    case "on":
      if (place < 0) return;
      loan.status = PATH[place + 1] ?? loan.status;
      loan.given ||= isPaidOut(loan);
      return;
    case "reject":
      if (!loan.given && place >= 0) loan.status = place === 0 ? "Rejected" : "ApprovalExpired";
      return;
    case "recover":
      if (!loan.given && place >= 2) loan.status = "CollateralRecoverable";
      return;
    case "dispute":
    case "strange-word":
      if (place < 0) return;
      loan.undisputed = loan.status;
      loan.status = move === "dispute" ? "DisputeBorrowerStarted" : "MarginCalled";
      return;
    case "settle":
      loan.status = loan.undisputed ?? loan.status;
      loan.undisputed = undefined;
      return;
    case "take-back":
      if (!loan.given) return;
      loan.status = "Cancelled";
      loan.isChanged = true;
      return;
    case "give-again":
      if (loan.given && loan.status === "Cancelled") loan.status = "PrincipalGiven";
      return;
    case "step-back":
      if (place < GIVEN) return;
      loan.status = "CollateralConfirmed";
      loan.isChanged = true;
      return;
    case "cut":
      loan.cents = Math.floor(loan.cents / 2);
      // The provider corrects the whole amount.
      loan.isUnreadable = false;
      loan.isChanged ||= loan.given;
      return;
    case "raise":
      loan.cents += 777;
      loan.isChanged ||= loan.given;
      return;
    case "rename":
      if (!isOrderId(other)) return;
      loan.orderId = other;
      loan.isChanged ||= loan.given;
      return;
  }
}
