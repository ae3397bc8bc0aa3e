/**
 * A loan provider that lies: its list repeats entries and changes its order, it hides loans, sends
 * entries that cannot be read, and answers with states that are over. It keeps the truth.
 */
import { answerJson, startHttpServer } from "../harness/http-server.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type Payout, payoutOf, samePayout, stateOf, type Terms } from "./payout.ts";

/** A loan: its true state, and how the provider currently reports it. */
export interface Loan {
  readonly id: string;
  terms: Terms;
  updatedAt: number;
  /** Every order that it has named; `null` for none. */
  readonly names: Set<string | null>;
  /** The loan that it extends: it brings no money of its own. */
  readonly extends: Loan | undefined;
  /** Whether another loan extends it. */
  isExtended: boolean;
  /** Whether its amount, or whether it is paid out, has changed after a payout. */
  isChanged: boolean;
  /** How the provider lies about it. */
  lie: "none" | "hidden" | "unreadable" | "outdated";
  /** The state that it reports while it is `outdated`. */
  earlier: { readonly terms: Terms; readonly updatedAt: number } | undefined;
  /**
   * What the shop may have in its journal of it: more than one payout while the shop may have
   * missed a state. `undefined` for none.
   */
  payouts: (Payout | undefined)[];
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** @param now the time of the shop's clock, in epoch milliseconds */
export async function startProvider(now: () => number, note: (line: string) => void) {
  const loans: Loan[] = [];
  let awayUntil = 0;
  let isTruthful = false;
  let kills = 0;
  let lists = 0;
  let answers = 0;

  function reportOf(loan: Loan): unknown {
    answers += 1;
    const isLying = !isTruthful && loan.lie !== "none";
    const { terms, updatedAt } =
      isLying && loan.lie === "outdated" && answers % 2 === 0 ? (loan.earlier ?? loan) : loan;
    const { orderId, amount, asset, status, time } = terms;
    const isUnreadable = isLying && loan.lie === "unreadable";
    return {
      id: loan.id,
      status,
      loan_amount: isUnreadable ? { value: amount } : amount,
      loan_asset: asset,
      client_contract_id: orderId,
      updated_at: time === undefined ? new Date(updatedAt).toISOString() : time,
    };
  }
  const isHidden = ({ lie }: Loan) => !isTruthful && lie === "hidden";

  function list(): unknown[] {
    lists += 1;
    const visible = loans.filter((loan) => !isHidden(loan));
    if (isTruthful) return visible.map(reportOf);
    const all = lists % 2 === 0 ? visible : visible.toReversed();
    return all.flatMap((loan, index) =>
      (index + lists) % 7 === 0 ? [reportOf(loan), reportOf(loan)] : [reportOf(loan)],
    );
  }

  const server = await startHttpServer((request, response) => {
    response.setHeader("date", new Date(now()).toUTCString());
    const path = request.url ?? "";
    if (Date.now() < awayUntil) return answerJson(response, {}, 503);
    if (path === "/api/users/me") return answerJson(response, { id: "the-lender" });
    if (path === "/api/contracts") return answerJson(response, list());
    const id = decodeURIComponent(path.replace("/api/contracts/", ""));
    const loan = loans.find((one) => one.id === id);
    return loan === undefined || isHidden(loan)
      ? answerJson(response, {}, 404)
      : answerJson(response, reportOf(loan));
  });

  function describe({ orderId, amount, asset, status }: Terms): string {
    return `${status} ${amount} ${asset} for ${orderId?.slice(0, 8) ?? "nobody"}`;
  }

  /** Adds what the shop may store of the present state. */
  function remember(loan: Loan): void {
    const state = stateOf(loan.terms.status);
    if (state !== "paid-out" && state !== "ended") return;
    const payout = state === "paid-out" ? payoutOf(loan.terms) : undefined;
    if (!loan.payouts.some((known) => samePayout(known, payout))) loan.payouts.push(payout);
  }

  /**
   * Resolves once the shop has completed a sweep that began after this call: the same process begins
   * the next one.
   */
  async function swept(): Promise<void> {
    for (;;) {
      const [before, life] = [lists, kills];
      await waitFor("two sweeps", () => kills !== life || lists >= before + 2);
      if (kills === life) return;
    }
  }

  return {
    ...server,
    loans,
    lend(id: string, terms: Terms, of?: Loan): Loan {
      const loan: Loan = {
        id,
        terms,
        updatedAt: now(),
        names: new Set([terms.orderId]),
        extends: of,
        isExtended: false,
        isChanged: false,
        lie: "none",
        earlier: undefined,
        payouts: [undefined],
      };
      loans.push(loan);
      remember(loan);
      note(`loan ${id}: ${describe(terms)}${of === undefined ? "" : `, extends ${of.id}`}`);
      return loan;
    },
    change(loan: Loan, terms: Partial<Terms>): void {
      const wasPaid = stateOf(loan.terms.status) === "paid-out";
      loan.earlier = { terms: loan.terms, updatedAt: loan.updatedAt };
      loan.terms = { ...loan.terms, ...terms };
      loan.updatedAt = Math.max(now(), loan.updatedAt + 1);
      loan.names.add(loan.terms.orderId);
      loan.isChanged ||= wasPaid && (terms.amount !== undefined || !isPaidOut(loan));
      remember(loan);
      note(`loan ${loan.id}: ${describe(loan.terms)}`);
    },
    /** Gives no usable answer for a while. */
    beAway(milliseconds: number): void {
      note(`the provider is away for ${milliseconds} ms`);
      awayUntil = Date.now() + milliseconds;
    },
    tellTruth(isTrue: boolean): void {
      isTruthful = isTrue;
      note(isTrue ? "the provider tells the truth" : "the provider lies");
    },
    /** A sweep that a killed server has begun does not count. */
    killed(): void {
      kills += 1;
    },
    swept,
    /** Waits until the shop has surely stored the current state of a loan, if it is reported. */
    async digested(loan: Loan): Promise<void> {
      const { terms } = loan;
      await swept();
      const state = stateOf(terms.status);
      const isTrue = isTruthful || loan.lie === "none";
      if (loan.terms !== terms || !isTrue) return;
      if (state === "paid-out" || state === "ended")
        loan.payouts = [state === "paid-out" ? payoutOf(terms) : undefined];
    },
  };
}

/** Whether a loan is paid out at present. */
export function isPaidOut({ terms }: Pick<Loan, "terms">): boolean {
  return stateOf(terms.status) === "paid-out";
}
