import { isOrderId } from "@keepsats/protocol";
import type { Deal, LoanMove, Mood } from "./plan.ts";

/** The true state of a loan at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  asset: string;
  status: string;
  updatedAt: number;
  /** Whether its principal has been paid out. */
  given: boolean;
  /** The id of the loan that it extends; an extension brings no money of its own. */
  readonly extends: string | undefined;
  /** Its terms when the provider first reported it to the shop as paid. */
  proof: Proof | undefined;
  /** The status before a dispute. */
  undisputed: string | undefined;
  /** Whether the provider has changed its terms after the payout. */
  takenBack: boolean;
}

/** The terms of a loan when it was reported to the shop as paid. */
export interface Proof {
  readonly orderId: string | null;
  readonly cents: number;
  readonly asset: string;
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
  move(loan: Loan, move: LoanMove, other: string): string | undefined;
  /** Answers `GET path`. */
  answer(path: string): { readonly status: number; readonly body: unknown };
}

/** The names of dollars in this provider's API. */
export const DOLLARS = "UsdcPol";
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
export const proving: ReadonlySet<string> = new Set([...PATH.slice(GIVEN), EXTENDED]);

export function createProvider(now: () => number): Provider {
  const loans = new Map<string, Loan>();

  function add(
    loan: Pick<Loan, "id" | "orderId" | "cents" | "asset" | "status" | "given" | "extends">,
  ): Loan {
    const added = {
      ...loan,
      updatedAt: now(),
      proof: undefined,
      undisputed: undefined,
      takenBack: false,
    };
    loans.set(loan.id, added);
    return added;
  }

  /** The API's representation of a loan. Reporting a loan as paid records its proof. */
  function told(loan: Loan) {
    const { id, orderId, cents, asset, status, updatedAt } = loan;
    if (loan.given && proving.has(status)) loan.proof ??= { orderId, cents, asset };
    return {
      id,
      status,
      loan_amount: (cents / 100).toFixed(2),
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
      const extension = change(loan, move, other);
      if (extension) {
        add({
          ...loan,
          id: `${loan.id}-x`,
          status: "PrincipalGiven",
          given: true,
          extends: loan.id,
        });
      }
      if (describe(loan) === before) return undefined;
      loan.updatedAt = now();
      return describe(loan);
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
): Pick<Loan, "orderId" | "cents" | "asset"> {
  const right = { orderId: id, cents: total, asset: DOLLARS };
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
  }
}

function describe({ status, cents, orderId }: Loan): string {
  return `${status}, $${(cents / 100).toFixed(2)}, for ${orderId?.slice(0, 8) ?? "nobody"}`;
}

/** Changes a loan. @returns whether another loan extends it */
function change(loan: Loan, move: LoanMove, other: string): boolean {
  const place = PATH.indexOf(loan.status);
  switch (move) {
    case "on":
      if (place < 0) return false;
      loan.status = PATH[place + 1] ?? loan.status;
      loan.given ||= place + 1 >= GIVEN;
      return false;
    case "reject":
      if (!loan.given && place >= 0) loan.status = place === 0 ? "Rejected" : "ApprovalExpired";
      return false;
    case "recover":
      if (!loan.given && place >= 2) loan.status = "CollateralRecoverable";
      return false;
    case "dispute":
      if (place < 0) return false;
      loan.undisputed = loan.status;
      loan.status = "DisputeBorrowerStarted";
      return false;
    case "settle":
      loan.status = loan.undisputed ?? loan.status;
      loan.undisputed = undefined;
      return false;
    case "strange-word":
      if (place < 0) return false;
      loan.undisputed = loan.status;
      loan.status = "MarginCalled";
      return false;
    case "extend":
      if (loan.status !== "PrincipalGiven") return false;
      loan.status = EXTENDED;
      return true;
    case "take-back":
      if (!loan.given) return false;
      loan.status = "Cancelled";
      loan.takenBack = true;
      return false;
    case "cut":
      loan.cents = Math.floor(loan.cents / 2);
      loan.takenBack ||= loan.given;
      return false;
    case "rename":
      if (!isOrderId(other)) return false;
      loan.orderId = other;
      loan.takenBack ||= loan.given;
      return false;
  }
}

/** The delay and the fault of an answer, by the provider's mood. */
export interface Manner {
  readonly latency: number;
  readonly fault:
    | "none"
    | "refused"
    | "status-500"
    | "status-429"
    | "html"
    | "cut-short"
    | "odd-entries"
    | "never-ends";
}

/** @param draw a random whole number below 1,000 */
export function mannerOf(mood: Mood | undefined, draw: number): Manner {
  const latency = 10 + (draw % 200);
  switch (mood) {
    case undefined:
      return { latency, fault: "none" };
    case "down":
      return { latency, fault: "refused" };
    case "error":
      return { latency, fault: "status-500" };
    case "busy":
      return { latency, fault: "status-429" };
    case "garbled":
      return { latency, fault: draw % 2 === 0 ? "html" : "cut-short" };
    case "odd":
      return { latency, fault: "odd-entries" };
    case "slow":
      return { latency: draw * 8, fault: "none" };
    case "stuck":
      return { latency, fault: "never-ends" };
  }
}
