import type { LoanChange, LoanTerms } from "./actions.ts";
import {
  amountOf,
  applyChange,
  describeLoan,
  EXTENDED,
  isEnded,
  isPaidOut,
  type Loan,
  payoutOf,
  type Report,
  termsOf,
} from "./loan.ts";

export type Provider = ReturnType<typeof createProvider>;

/** The simulated loan provider. */
export function createProvider(now: () => number) {
  const loans = new Map<string, Loan>();
  let lists = 0;

  function add(
    loan: Pick<
      Loan,
      "id" | "orderId" | "cents" | "form" | "asset" | "status" | "wasPaidOut" | "extends"
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
    const { id, orderId, asset, status, updatedAt } = loan;
    if (isPaidOut(loan) || isEnded(loan))
      record(loan, { orderId, payout: isPaidOut(loan) ? payoutOf(loan) : undefined });
    return {
      id,
      status,
      loan_amount: amountOf(loan),
      loan_asset: asset,
      client_contract_id: orderId,
      updated_at: new Date(updatedAt).toISOString(),
    };
  }

  /** The list has no order, and may repeat a loan. */
  function list() {
    lists += 1;
    const all = lists % 2 === 0 ? [...loans.values()] : [...loans.values()].toReversed();
    return (lists % 3 === 0 ? [...all.slice(0, 1), ...all] : all).map(report);
  }

  return {
    loans,
    /** Adds a loan. `order`: the order that it is for, with its total in cents. */
    lend(id: string, order: { readonly id: string; readonly total: number }, terms: LoanTerms) {
      const requested = { status: "Requested", wasPaidOut: false, extends: undefined };
      return add({ id, ...termsOf(order, terms), ...requested });
    },
    /**
     * @param other the order that the loan may name instead
     * @returns a description of the change; `undefined` if it is impossible
     */
    change(loan: Loan, change: Exclude<LoanChange, "extend">, other: string): string | undefined {
      const before = describeLoan(loan);
      applyChange(loan, change, other);
      if (describeLoan(loan) === before) return undefined;
      loan.updatedAt = now();
      return describeLoan(loan);
    },
    /** Adds an extension of a loan, which is not marked yet; `undefined` if that is impossible. */
    extend(loan: Loan): Loan | undefined {
      if (loan.status !== "PrincipalGiven" || loan.isExtended) return undefined;
      loan.isExtended = true;
      const { orderId, cents, form, asset, status } = loan;
      const same = { orderId, cents, form, asset, status };
      return add({ ...same, id: `${loan.id}-x`, wasPaidOut: true, extends: loan.id });
    },
    /** Marks a loan as extended. */
    mark(loan: Loan): void {
      if (isEnded(loan)) return;
      loan.status = EXTENDED;
      loan.undisputed = undefined;
      loan.updatedAt = now();
    },
    /** Answers `GET path`. */
    answer(path: string): { readonly status: number; readonly body: unknown } {
      if (path === "/api/users/me") return { status: 200, body: { id: "the-shop" } };
      if (path === "/api/contracts") return { status: 200, body: list() };
      const loan = loans.get(decodeURIComponent(path.replace("/api/contracts/", "")));
      return loan === undefined ? { status: 404, body: {} } : { status: 200, body: report(loan) };
    },
  };
}

function record(loan: Loan, report: Report): void {
  const isKnown = (one: Report) => JSON.stringify(one) === JSON.stringify(report);
  if (!loan.reports.some(isKnown)) loan.reports.push(report);
}
