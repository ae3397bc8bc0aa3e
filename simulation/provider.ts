import { isOrderId } from "@keepsats/protocol";
import type { Deal, LoanMove, Mood } from "./plan.ts";

/** A loan as it really stands at the provider. */
export interface Loan {
  readonly id: string;
  /** The order that it names. */
  orderId: string | null;
  cents: number;
  asset: string;
  status: string;
  updatedAt: number;
  /** Its principal has been given. */
  given: boolean;
  /** The loan that it goes on with: it brought no money of its own. */
  readonly extends: string | undefined;
  /** What it was about when the provider first told the shop that it had been paid. */
  proof: Proof | undefined;
  /** The status before a dispute. */
  undisputed: string | undefined;
  /** The provider has changed something that a paid loan is about. */
  takenBack: boolean;
}

/** What a loan was about when the shop was told that it had been paid. */
export interface Proof {
  readonly orderId: string | null;
  readonly cents: number;
  readonly asset: string;
}

/** The pretend loan provider: its loans, and how it answers at the moment. */
export interface Provider {
  readonly loans: ReadonlyMap<string, Loan>;
  /** A new loan. @param total of the order, in cents */
  lend(id: string, order: { readonly id: string; readonly total: number }, deal: Deal): Loan;
  /**
   * Does something with a loan, where that is possible.
   *
   * @param other what the loan may be made to name instead
   * @returns what became of it; `undefined` where nothing was possible
   */
  move(loan: Loan, move: LoanMove, other: string): string | undefined;
  /** What `GET path` is answered. */
  answer(path: string): { readonly status: number; readonly body: unknown };
}

/** What this provider calls dollars. */
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
/** The statuses that this provider uses and that prove that the principal was given. */
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

  /** A loan as the API tells it. Whoever is told that it was paid has its proof from then on. */
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
      return add({ id, ...terms(order, deal), status: "Requested", given: false, extends: undefined });
    },
    move(loan, move, other) {
      const before = describe(loan);
      const extension = change(loan, move, other);
      if (extension) {
        add({ ...loan, id: `${loan.id}-x`, status: "PrincipalGiven", given: true, extends: loan.id });
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

/** Changes a loan. @returns whether another one goes on with it */
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

/** How an answer comes about in a mood: after how many milliseconds, and what is wrong with it. */
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
