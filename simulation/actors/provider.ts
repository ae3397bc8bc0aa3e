import type { Faults } from "../faults.ts";
import type { Random } from "../random.ts";
import {
  amountOf,
  describeLoan,
  EXTENDED,
  isEnded,
  isPaidOut,
  type Loan,
  type LoanChange,
  type LoanTerms,
  loanChanges,
  payoutOf,
  termsOf,
} from "./loan.ts";

/**
 * The faults of a provider: `odd` lists invalid entries and leaves out others, `stuck` stops in the
 * middle of an answer, `busy` limits the rate.
 */
export type ProviderFault = "down" | "error" | "garbled" | "odd" | "slow" | "stuck" | "busy";

export type Provider = ReturnType<typeof createProvider>;

/** The simulated loan provider. */
export function createProvider(now: () => number) {
  const loans = new Map<string, Loan>();
  let lists = 0;

  function add(
    loan: Omit<Loan, "updatedAt" | "isExtended" | "reports" | "undisputed" | "isChanged">,
  ) {
    const rest = { isExtended: false, reports: [], undisputed: undefined, isChanged: false };
    const added: Loan = { ...loan, ...rest, updatedAt: now() };
    loans.set(loan.id, added);
    return added;
  }

  /** The API's representation of a loan. Its statement about the payout is recorded. */
  function report(loan: Loan) {
    const { id, orderId, asset, status, updatedAt } = loan;
    if (isPaidOut(loan) || isEnded(loan))
      loan.reports.push({ orderId, payout: isPaidOut(loan) ? payoutOf(loan) : undefined });
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
    change(loan: Loan, change: LoanChange, other: string | undefined): string | undefined {
      const before = describeLoan(loan);
      loanChanges[change](loan, other);
      if (describeLoan(loan) === before) return undefined;
      loan.updatedAt = now();
      return describeLoan(loan);
    },
    /** Adds an extension of a loan, which is not marked yet; `undefined` if that is impossible. */
    extend(loan: Loan): Loan | undefined {
      if (loan.status !== "PrincipalGiven" || loan.isExtended) return undefined;
      loan.isExtended = true;
      return add({ ...loan, id: `${loan.id}-x`, wasPaidOut: true, extends: loan.id });
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

interface Transport {
  readonly provider: Provider;
  /** The provider's clock. */
  readonly now: () => number;
  readonly faults: Faults<ProviderFault>;
  readonly random: Random;
  /** Calls back after a number of milliseconds. */
  readonly after: (milliseconds: number, action: () => void) => void;
  readonly onCall: (path: string, fault: ProviderFault | undefined) => void;
}

/** Replaces `fetch`: sends the shop's calls to the simulated provider. */
export function createTransport(transport: Transport): typeof fetch {
  const { faults, random, after, onCall } = transport;
  return (input, init) =>
    new Promise((resolve, reject) => {
      const path = new URL(String(input)).pathname;
      const fault = faults.current;
      const draw = random.below(1_000);
      onCall(path, fault);
      const signal = init?.signal;
      signal?.addEventListener("abort", () => reject(signal.reason));
      // The answer is made when the request arrives, so a slow answer can be older than a later,
      // quicker one.
      const answer = fault === "down" ? undefined : responseTo(path, transport, fault, signal);
      after(fault === "slow" ? draw * 8 : 10 + (draw % 200), () => {
        if (answer === undefined)
          reject(new TypeError("fetch failed", { cause: new Error("refused") }));
        else resolve(answer);
      });
    });
}

function responseTo(
  path: string,
  { provider, now }: Pick<Transport, "provider" | "now">,
  fault: ProviderFault | undefined,
  signal: AbortSignal | null | undefined,
): Response {
  const headers = { "content-type": "application/json", date: new Date(now()).toUTCString() };
  if (fault === "error") return new Response("{}", { status: 500, headers });
  if (fault === "busy") return new Response("{}", { status: 429, headers: { "retry-after": "7" } });
  const { status, body } = provider.answer(path);
  if (fault === "odd" && Array.isArray(body)) {
    const odd = [null, ...body.filter((_, place) => place % 4 !== 3), { id: "odd", status: 7 }];
    return Response.json(odd, { status, headers });
  }
  const text = JSON.stringify(body);
  if (fault === "garbled")
    return new Response(text.slice(0, text.length * 0.7), { status, headers });
  if (fault === "stuck") return new Response(endless(text, signal), { status, headers });
  return new Response(text, { status, headers });
}

/** A body that stalls in the middle until the reader cancels it. */
function endless(text: string, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
}
