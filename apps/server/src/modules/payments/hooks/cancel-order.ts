import { setTimeout as pause } from "node:timers/promises";
import type { Queries } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { CancellationOutcome, Orders, PaymentHooks } from "../../orders/index.ts";
import type { IssueWriter } from "../issues/issue-writer.ts";
import { readOrderAccount } from "../journal/journal-repository.ts";
import type { CheckLoan, Presenter } from "../loans/check-loan.ts";
import { findLoansBeforeSweep, findPresentedLoans, type LoanCheckId } from "../loans/loan-queue.ts";
import { findLoansOfOrder } from "../loans/loan-repository.ts";
import { lastSweepBegan } from "../loans/sweep.ts";
import { cancellationOf, openLoansOf } from "../rules/index.ts";

export type CancellationDependencies = Pick<Platform, "database"> &
  Pick<Orders, "changeStatuses"> & {
    readonly askAboutLoans: AskAboutLoans;
    readonly issues: IssueWriter;
  };

/**
 * Creates the function that cancels orders for customers, and orders that expire.
 *
 * 1. The provider is asked about every loan that may block the cancellation.
 * 2. The stored loans and the journal decide, under the order's lock. Loans are settled under the
 *    same lock: a loan is bound before the decision and part of it, or bound after it.
 *
 * What blocks the cancellation:
 *
 * - For a customer, only money, and loans that were presented with the order's key: anyone can
 *   request a loan for any order.
 * - A loan that is presented after step 1 has begun, only if it is bound. Otherwise invented ids
 *   could hold the stock forever. If such a loan is paid out, that is a payment issue.
 */
export function createCancelOrder({
  database,
  askAboutLoans,
  changeStatuses,
  issues,
}: CancellationDependencies): PaymentHooks["cancelOrder"] {
  return async (orderId, by, { version, reason, message, client, sameTransaction } = {}) => {
    const scope = { orderId, onlyWithKey: by.kind === "customer" };
    const unanswered = await askAboutLoans(scope, client);
    return database.inTransaction(async (unit): Promise<CancellationOutcome> => {
      await unit.lock(orderId);
      const account = await readOrderAccount(unit.db, orderId);
      if (account === undefined) return undefined;
      const { order } = account;
      if (version !== undefined && order.version !== version) return { kind: "unchanged" };
      const decision = cancellationOf({
        account,
        blockingIds: scope.onlyWithKey
          ? new Set(await findPresentedLoans(unit.db, scope))
          : undefined,
        unclear: await findUnclearLoans(unit.db, scope, { unanswered, now: database.now() }),
      });
      if (decision.kind === "refused") return decision;
      await sameTransaction?.beforeCancelling(unit);
      if (decision.kind === "cancel") {
        const change = { orderId, to: "Cancelled", by, reason, message } as const;
        await changeStatuses(unit, [change]);
        await issues.update(unit, { orderId }, by);
      }
      await sameTransaction?.afterCancelling(unit);
      return { kind: decision.kind === "cancel" ? "cancelled" : "unchanged" };
    });
  };
}

/** The loans that a cancellation depends on: all, or only those presented with the order's key. */
interface CancellationScope {
  readonly orderId: string;
  readonly onlyWithKey: boolean;
}

/** The number of tries to learn about a loan, and the interval between them in milliseconds. */
const MAX_TRIES = 10;
const RETRY_INTERVAL = 300;

type AskAboutLoans = ReturnType<typeof createAskAboutLoans>;

export function createAskAboutLoans({
  db,
  check,
}: {
  readonly db: Queries;
  readonly check: CheckLoan;
}) {
  /** @returns whether the state of the loan is known now */
  async function ask(key: LoanCheckId, presenter: Presenter | undefined): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { isBound, outcome, isDeferred } = await check(key, presenter);
      // Otherwise the call budget is used up, or another process is checking the loan now.
      const isAsked = !isDeferred && (isBound || outcome !== "waiting");
      if (isAsked) return isBound || outcome !== "unreachable";
      await pause(RETRY_INTERVAL, undefined, { ref: false });
    }
    return false;
  }

  /**
   * Asks the provider about all loans that may be paid out for an order.
   *
   * @param client the network of the customer who cancels, whose share of calls is used;
   *   `undefined` for the shop's own calls
   * @returns the ids of those whose state is still unknown
   */
  return async (scope: CancellationScope, client?: string): Promise<readonly string[]> => {
    const known = await findKnownLoans(db, scope);
    const presenter = client === undefined ? undefined : { client, holdsKey: scope.onlyWithKey };
    const answered = await Promise.all(
      known.map((loanId) => ask({ orderId: scope.orderId, loanId }, presenter)),
    );
    return known.filter((_, index) => answered[index] !== true);
  };
}

/** The ids of the loans that may still be paid out: those presented, and those bound. */
async function findKnownLoans(db: Queries, scope: CancellationScope): Promise<string[]> {
  const presented = await findPresentedLoans(db, scope);
  if (scope.onlyWithKey) return presented;
  const bound = openLoansOf({ loans: await findLoansOfOrder(db, scope.orderId) });
  return [...new Set([...presented, ...bound.map(({ id }) => id)])];
}

/**
 * The unanswered loans that may be paid out for an order. A complete sweep that began after the
 * loan was presented has either bound it or proved that it is not for this order. The exception is
 * an entry that the sweep could not decode: it is an open payment issue, and proves nothing.
 *
 * @param now by the clock that all processes share
 */
export async function findUnclearLoans(
  db: Queries,
  scope: CancellationScope,
  { unanswered, now }: { readonly unanswered: readonly string[]; readonly now: number },
): Promise<string[]> {
  if (unanswered.length === 0) return [];
  const unclear = (await findKnownLoans(db, scope)).filter((id) => unanswered.includes(id));
  if (unclear.length === 0) return [];
  const key = { orderId: scope.orderId, loanIds: unclear };
  const disproved = await findLoansBeforeSweep(db, key, await lastSweepBegan(db, now));
  return unclear.filter((id) => !disproved.includes(id));
}
