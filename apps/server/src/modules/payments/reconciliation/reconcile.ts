import type { ComparedLoan, Match } from "@keepsats/protocol";
import type { Queries } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { elapsed } from "../../../platform/scheduling/clock.ts";
import { findReferences } from "../../orders/index.ts";
import { findEntries } from "../journal/journal-repository.ts";
import { batchesIn, type Period } from "../journal/period.ts";
import type { LoanPart, LoanProvider } from "../loans/loan-provider.ts";
import {
  compareLoan,
  type JournaledLoan,
  journaledLoan,
  unknownLoan,
  unlistedLoan,
  unreadableLoan,
} from "./compare-loan.ts";

export interface ComparedList {
  /** When the provider's list was read, in epoch milliseconds. */
  readonly readAt: number;
  /** The loans of the journal by their payout, then those that only the provider has. */
  readonly loans: readonly ComparedLoan[];
  readonly counts: Readonly<Record<Match, number>>;
}

/**
 * `too-soon`: the list was just read for another period; `wait` is in milliseconds. `busy`: the call
 * budget is used up, and nothing was read. `unavailable`: no usable answer.
 */
export type ReconcileOutcome =
  | { readonly kind: "compared"; readonly list: ComparedList }
  | { readonly kind: "too-soon"; readonly wait: number }
  | { readonly kind: "busy" | "unavailable" };

export type Reconcile = ReturnType<typeof createReconcile>;

interface Dependencies extends Pick<Platform, "now"> {
  readonly db: Queries;
  readonly provider: Pick<LoanProvider, "loans">;
}

/**
 * Concurrent calls share one reading of the provider's list. Each process keeps its own result: a
 * limit for all of them would refuse the CSV file of a result that another process has shown. The
 * call budget, which processes share, bounds their calls to the provider.
 */
export function createReconcile({
  times,
  ...comparing
}: Dependencies & {
  readonly times: {
    /** How long a result is kept, in milliseconds. The provider's list is not read again then. */
    readonly keepReconciliation: number;
  };
}) {
  let kept: { period: Period; until: number; outcome: Promise<ReconcileOutcome> } | undefined;
  let isReading = false;

  async function read(period: Period): Promise<ReconcileOutcome> {
    isReading = true;
    try {
      const outcome = await compareLists(period, comparing);
      if (outcome.kind === "busy") kept = undefined;
      return outcome;
    } catch (error) {
      kept = undefined;
      throw error;
    } finally {
      isReading = false;
    }
  }

  /** @throws if the database fails */
  return async (period: Period): Promise<ReconcileOutcome> => {
    const wait = kept === undefined ? 0 : kept.until - elapsed();
    if (kept !== undefined && (isReading || wait > 0)) {
      const isSame = kept.period.from === period.from && kept.period.before === period.before;
      return isSame ? kept.outcome : { kind: "too-soon", wait: Math.max(wait, 0) };
    }
    const outcome = read(period);
    kept = { period, until: elapsed() + times.keepReconciliation, outcome };
    return outcome;
  };
}

/**
 * Compares the loans with a payout in a period. The provider does not say when it paid a loan out,
 * so a loan that only the provider has counts in the period of its last change.
 */
async function compareLists(
  period: Period,
  { db, provider, now }: Dependencies,
): Promise<Exclude<ReconcileOutcome, { kind: "too-soon" }>> {
  const readAt = now();
  const journaled = await readJournaled(db, period);
  const compared = new Map<string, ComparedLoan>();
  const unknown: ComparedLoan[] = [];

  async function comparePart({ loans, unrecognized }: LoanPart): Promise<void> {
    for (const { id } of unrecognized) {
      const own = id === undefined ? undefined : journaled.get(id);
      if (own !== undefined) compared.set(own.id, unreadableLoan(own));
    }
    for (const loan of loans) {
      const own = journaled.get(loan.id);
      if (own !== undefined) compared.set(own.id, compareLoan(own, loan));
    }
    const others = loans.filter(
      ({ id, state, updatedAt }) =>
        !journaled.has(id) &&
        state === "paid-out" &&
        (updatedAt === 0 || (updatedAt >= period.from && updatedAt < period.before)),
    );
    const entries = await findEntries(db, { loanIds: others.map(({ id }) => id) });
    const known = new Set(entries.map(({ loanId }) => loanId));
    unknown.push(...others.filter(({ id }) => !known.has(id)).map(unknownLoan));
  }

  const answer = await provider.loans(comparePart);
  switch (answer.kind) {
    case "deferred":
      return { kind: "busy" };
    case "absent":
    case "unavailable":
      return { kind: "unavailable" };
    case "found": {
      const own = [...journaled.values()].map(
        (loan) => compared.get(loan.id) ?? unlistedLoan(loan),
      );
      const loans = [...own, ...unknown];
      return { kind: "compared", list: { readAt, loans, counts: countsOf(loans) } };
    }
  }
}

/** Reads the loans with a payout in a period, by id, in the order of these payouts. */
async function readJournaled(db: Queries, period: Period): Promise<Map<string, JournaledLoan>> {
  const journaled = new Map<string, JournaledLoan>();
  for await (const rows of batchesIn(db, period)) {
    const paid = rows.filter(({ kind }) => kind === "received");
    const loanIds = [...new Set(paid.flatMap(({ loan_id }) => loan_id ?? []))];
    if (loanIds.length === 0) continue;
    const entries = Map.groupBy(await findEntries(db, { loanIds }), ({ loanId }) => loanId);
    const orderIds = new Set(
      [...entries.values()].flatMap((ofLoan) => ofLoan.flatMap(({ orderId }) => orderId ?? [])),
    );
    const orders = await findReferences(db, [...orderIds]);
    for (const id of loanIds) {
      const loan = journaledLoan(id, entries.get(id) ?? [], orders);
      if (loan !== undefined) journaled.set(id, loan);
    }
    await new Promise(setImmediate);
  }
  return journaled;
}

function countsOf(loans: readonly ComparedLoan[]): Record<Match, number> {
  const counts = { same: 0, different: 0, "only-shop": 0, "only-provider": 0 };
  for (const { match } of loans) counts[match] += 1;
  return counts;
}
