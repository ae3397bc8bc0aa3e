import { awaitsPayment } from "@keepsats/domain";
import { batchReads, groupCommit } from "../../../platform/database/batching.ts";
import type { Platform } from "../../../platform/platform.ts";
import { backoff, DAY, elapsed, HOUR, MINUTE } from "../../../platform/scheduling/clock.ts";
import type { StoredStatus } from "../../orders/index.ts";
import type { Consequences, StoredLoan } from "../rules/index.ts";
import { createCallShares } from "./call-shares.ts";
import type { Answer, Loan, LoanProvider } from "./loan-provider.ts";
import {
  type CheckLease,
  type CheckOutcome,
  type FinishedCheck,
  findQueuedLoans,
  finishCheck,
  type LoanCheckId,
  leaseCheck,
  type PresentedLoan,
  type QueuedLoan,
  queueLoans,
  releaseCheck,
  removeLoans,
  withLoan,
} from "./loan-queue.ts";
import { findLoans } from "./loan-repository.ts";
import type { Settle } from "./settlement.ts";

export interface CheckResult {
  readonly isBound: boolean;
  /** No further check is needed. */
  readonly isDone: boolean;
  readonly outcome: CheckOutcome;
  /** A check was due, but the call budget was used up. */
  readonly isDeferred: boolean;
}

export interface Presenter {
  /** The client whose share of calls is used: the network of a customer, or the shop itself. */
  readonly client: string;
  readonly holdsKey: boolean;
}

export type CheckLoan = ReturnType<typeof createCheckLoan>;

/** In milliseconds. */
export const checkTimes = {
  /** The interval between two checks of a loan that has subscribers. */
  subscribedInterval: 2_000,
  /** The backoff after the provider's first "no such loan"; it doubles after each further one. */
  absentBackoff: 5_000,
  maxAbsentBackoff: MINUTE,
  /** The wait before the second check of a loan without subscribers. */
  minUnsubscribedInterval: 15_000,
  /** The longest interval between two checks of a loan without subscribers. */
  maxUnsubscribedInterval: HOUR,
  /** How long a loan is checked that does not become bound to the order. */
  unboundLifetime: DAY,
  checkLeaseDuration: 10_000,
};

type Dependencies = Pick<Platform, "database"> & {
  readonly provider: LoanProvider;
  readonly settle: Settle;
  readonly statusOf: (orderId: string) => Promise<StoredStatus | undefined>;
  readonly times: typeof checkTimes;
};

const outcomeAfter = {
  bound: "seen",
  refused: "refused",
  ignored: "refused",
  undecided: undefined,
} as const satisfies Record<Consequences["kind"], CheckOutcome | undefined>;

interface StoredCheck {
  /** Whether the loan is bound to the order, and pays it, or may. */
  readonly isBound: boolean;
  readonly queued: QueuedLoan | undefined;
  /** Whether a slot of the queue is free for a loan that is not queued yet in this way. */
  readonly mayBeQueued: boolean;
  readonly isDue: boolean;
  readonly isDone: boolean;
}

/**
 * If several processes check a loan at the same time, only the one with the lease asks the
 * provider. A deferred check of a queued loan stores nothing, because there may be thousands of
 * them a second.
 */
export function createCheckLoan(dependencies: Dependencies) {
  const { database, provider, settle, statusOf, times } = dependencies;
  const { db } = database;
  const read = createRead(dependencies);
  const shares = createCallShares(elapsed);
  const queue = groupCommit(database, (unit, loans: readonly PresentedLoan[]) =>
    queueLoans(unit, loans, database.now()),
  );
  const remove = groupCommit(database, async (unit, keys: readonly LoanCheckId[]) => {
    await removeLoans(unit.db, keys);
    return keys;
  });

  async function takeCall(isBound: boolean, shareId: string | undefined) {
    if (isBound || shareId === undefined) return provider.takeLoanCall(isBound);
    if (!shares.take(shareId)) return undefined;
    const call = await provider.takeLoanCall(isBound);
    if (call === undefined) shares.release(shareId);
    return call;
  }

  /** Ends the checks of a bound loan that has paid or ended, or whose order awaits no payment. */
  async function endChecks(key: PresentedLoan, { queued }: StoredCheck): Promise<CheckResult> {
    if (queued !== undefined) await remove(key);
    return { isBound: true, isDone: true, outcome: "seen", isDeferred: false };
  }

  /** Settles the provider's answer. Returns `undefined` if it decides nothing. */
  async function outcomeOf(
    answer: Answer<Loan>,
    orderId: string,
  ): Promise<CheckOutcome | undefined> {
    switch (answer.kind) {
      case "deferred":
        return undefined;
      case "unavailable":
        return "unreachable";
      case "absent":
        return "absent";
      case "found":
        return outcomeAfter[(await settle(answer.value, orderId)).kind];
    }
  }

  /**
   * Stores an outcome, and ends the lease. A loan that was presented long ago and is not bound
   * leaves the queue: anyone can present any id. If it belongs to the order after all, the sweep
   * finds it, unless its report cannot be decoded; so a loan without a usable answer stays while
   * its order awaits payment.
   */
  async function conclude(
    key: PresentedLoan,
    lease: CheckLease,
    outcome: CheckOutcome | undefined,
  ): Promise<CheckResult> {
    if (outcome === undefined) {
      await releaseCheck(db, key);
      return deferredResult(await read(key), provider);
    }
    await finishCheck(db, key, finishedCheck(lease, outcome, database.now(), times));
    const stored = await read(key);
    if (stored.isDone) return endChecks(key, stored);
    const result = resultOf(stored);
    const isBound = result.isBound || outcome === "seen";
    const isOld = database.now() - lease.createdAt > times.unboundLifetime;
    const isKept = outcome === "unreachable" && (await mayAwaitPayment(key.orderId, statusOf));
    if (!isBound && isOld && !isKept) await remove(key);
    return { ...result, isBound };
  }

  /**
   * Checks a loan that was presented for an order: if a check is due, asks the provider and settles
   * the loan.
   *
   * @param presenter whose share of calls is used; `undefined` for a check that no share may delay
   */
  return async ({ orderId, loanId }: LoanCheckId, presenter?: Presenter): Promise<CheckResult> => {
    const holdsKey = presenter?.holdsKey === true;
    const presented = { orderId, loanId, holdsKey };
    const shareId = presenter && shareIdOf(presenter, orderId);
    const stored = await read(presented);
    if (stored.isDone) return endChecks(presented, stored);
    const { isBound } = stored;
    // It is queued first, so that it is kept if no call is left.
    if (stored.mayBeQueued) {
      const isQueued = await queue(presented);
      if (!isQueued && !isBound) return resultOf(stored);
    }
    if (!stored.isDue) return resultOf(stored);
    const call = await takeCall(isBound, shareId);
    if (call === undefined) return deferredResult(stored, provider);
    const lease = await leaseCheck(db, presented, {
      now: database.now(),
      until: database.now() + times.checkLeaseDuration,
    });
    if (lease === undefined) return resultOf(await read(presented));
    try {
      const outcome = await outcomeOf(await call(loanId), orderId);
      const result = await conclude(presented, lease, outcome);
      if (result.isBound && shareId !== undefined) shares.release(shareId);
      return result;
    } catch (error) {
      // Backs off as after any other failure. Otherwise checks that always fail would stay at the
      // head of the queue.
      await finishCheck(db, presented, finishedCheck(lease, undefined, database.now(), times));
      throw error;
    }
  };
}

/**
 * One share per network and key, so that clients who invent loans do not delay key holders behind
 * the same address.
 */
function shareIdOf({ client, holdsKey }: Presenter, orderId: string): string {
  return holdsKey ? `${client} ${orderId}` : client;
}

/** Whether an order awaits payment. One of a newer version is left to that version. */
async function mayAwaitPayment(
  orderId: string,
  statusOf: Dependencies["statusOf"],
): Promise<boolean> {
  const status = await statusOf(orderId);
  return status === undefined || awaitsPayment(status);
}

function createRead({ database, statusOf }: Dependencies) {
  const { db } = database;
  const loanOf = batchReads(async (loanIds: readonly string[]) => {
    const loans = await findLoans(db, { loanIds });
    return new Map(loans.map((loan) => [loan.id, loan]));
  });
  const queueOf = batchReads((orderIds: readonly string[]) =>
    findQueuedLoans(db, orderIds, database.now()),
  );

  async function isLoanDone({ state }: StoredLoan, orderId: string): Promise<boolean> {
    return state === "paid-out" || state === "ended" || !(await mayAwaitPayment(orderId, statusOf));
  }

  return async (key: PresentedLoan): Promise<StoredCheck> => {
    const { orderId, loanId } = key;
    const [found, queue = []] = await Promise.all([loanOf(loanId), queueOf(orderId)]);
    const isBound = found?.orderId === orderId && found.refusal === undefined;
    const queued = queue.find((entry) => entry.loanId === loanId);
    const changed = withLoan(queue, key);
    const mayBeQueued = changed !== undefined && changed !== queue;
    return {
      isBound,
      queued,
      mayBeQueued,
      isDue: queued?.isDue ?? mayBeQueued,
      isDone: isBound && (await isLoanDone(found, orderId)),
    };
  };
}

function resultOf({ isBound, queued }: StoredCheck): CheckResult {
  const { outcome = "waiting" } = queued ?? {};
  const isSeen = isBound && outcome === "waiting";
  return { isBound, isDone: false, outcome: isSeen ? "seen" : outcome, isDeferred: false };
}

/** Clears `unreachable` without a call, as soon as the provider is reachable again. */
function deferredResult(stored: StoredCheck, { reachable }: LoanProvider): CheckResult {
  const result = resultOf(stored);
  const isBack = result.outcome === "unreachable" && reachable;
  const outcome = result.isBound ? "seen" : "waiting";
  return { ...result, outcome: isBack ? outcome : result.outcome, isDeferred: true };
}

/**
 * With subscribers, the next check is due after 2 seconds, or after a backoff if the provider has
 * no such loan for the order. Without, it is due after half the loan's age, because the sweep finds
 * changes too, or after a backoff.
 */
function finishedCheck(
  { failures, createdAt }: CheckLease,
  outcome: CheckOutcome | undefined,
  now: number,
  times: typeof checkTimes,
): FinishedCheck {
  const isSeen = outcome === "seen";
  const isNotOurs = outcome === "absent" || outcome === "refused";
  const wait = isNotOurs
    ? backoff(failures, times.absentBackoff, times.maxAbsentBackoff)
    : times.subscribedInterval;
  const unsubscribed = isSeen
    ? Math.min(
        times.maxUnsubscribedInterval,
        Math.max(times.minUnsubscribedInterval, Math.round((now - createdAt) / 2)),
      )
    : backoff(failures, times.subscribedInterval, times.maxUnsubscribedInterval);
  return {
    outcome,
    failures: isSeen ? 0 : failures + 1,
    notBefore: now + wait,
    nextAt: now + Math.max(wait, unsubscribed),
  };
}
