import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import { backoff } from "../../backoff.ts";
import { type Clock, elapsed } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { commitInGroups, readInGroups } from "../../db/in-groups.ts";
import type { StoredStatus } from "../../orders/index.ts";
import type { Loan } from "../loan.ts";
import type { Answer, LoanProvider } from "../loan-provider.ts";
import { findLoans } from "../loan-repository.ts";
import type { StoredLoan } from "../rules.ts";
import type { Settle } from "../settlement.ts";
import { createCallShares } from "./call-budget.ts";
import {
  type CheckKey,
  type CheckLease,
  type Finding,
  type FinishedCheck,
  findQueuedLoans,
  finishCheck,
  leaseCheck,
  type PresentedLoan,
  type QueuedLoan,
  queueLoans,
  releaseCheck,
  removeLoans,
  withLoan,
} from "./loan-queue.ts";

/** The result of checking a loan that was presented for an order. */
export interface CheckResult {
  /** Whether the loan is bound to the order. */
  readonly bound: boolean;
  /** Whether no further check is needed. */
  readonly done: boolean;
  readonly finding: Finding;
  /**
   * Whether the provider was not asked although a check was due, because the call budget was used
   * up.
   */
  readonly deferred: boolean;
}

/** The client that presents a loan. */
export interface Presenter {
  /** The client whose share of calls is used, such as a network. */
  readonly client: string;
  readonly holdsKey: boolean;
}

/**
 * Checks a loan that was presented for an order: asks the provider if a check is due, and settles
 * the loan.
 *
 * @param presenter `undefined` for the shop's own checks, which bypass the shares
 */
export type CheckLoan = (key: CheckKey, presenter?: Presenter) => Promise<CheckResult>;

/** All in milliseconds. */
export interface CheckTimes {
  /** The interval between two checks of a loan that has subscribers. */
  readonly followed: number;
  /** The backoff after the provider's first "no such loan"; it doubles after each further one. */
  readonly absent: number;
  /** The longest backoff after "no such loan". */
  readonly absentLongest: number;
  /** The wait before the second check of a loan without subscribers. */
  readonly unfollowed: number;
  /** The longest interval between two checks of a loan without subscribers. */
  readonly longest: number;
  /** How long a loan is checked that does not become bound to the order. */
  readonly unboundLife: number;
  /** The duration of the lease of a check. */
  readonly lease: number;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly settle: Settle;
  readonly statusOf: (orderId: string) => Promise<StoredStatus | undefined>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: CheckTimes;
}

/** What is stored about a presented loan. */
interface Stored {
  /** The loan, if it is bound to the order and pays it, or may. */
  readonly loan: StoredLoan | undefined;
  readonly queued: QueuedLoan | undefined;
  /** Whether a slot of the queue is free for a loan that is not queued yet in this way. */
  readonly mayBeQueued: boolean;
  readonly due: boolean;
  /** Whether no further check is needed. */
  readonly finished: boolean;
}

/**
 * If several processes check a loan at the same time, only the one with the lease asks the
 * provider. A deferred check stores nothing, because there may be thousands of them a second.
 */
export function createCheckLoan(dependencies: Dependencies): CheckLoan {
  const { database, provider, settle, statusOf, leaseNow: now, times } = dependencies;
  const { db } = database;
  const read = createRead(dependencies);
  const shares = createCallShares(elapsed);
  const queue = commitInGroups(database, (unit, loans: readonly PresentedLoan[]) =>
    queueLoans(unit, loans, now()),
  );
  const remove = commitInGroups(database, async (unit, keys: readonly CheckKey[]) => {
    await removeLoans(unit.db, keys);
    return keys;
  });

  async function takeQuestion(bound: boolean, share: string | undefined) {
    if (bound || share === undefined) return provider.takeQuestion(bound);
    if (!shares.take(share)) return undefined;
    const ask = await provider.takeQuestion(bound);
    if (ask === undefined) shares.release(share);
    return ask;
  }

  /** Ends the checks of a bound loan that is paid or over, or whose order awaits no payment. */
  async function finish(key: PresentedLoan, { queued }: Stored): Promise<CheckResult> {
    if (queued !== undefined) await remove(key);
    return { bound: true, done: true, finding: "seen", deferred: false };
  }

  /** Settles the provider's answer. @returns `undefined` if it decides nothing */
  async function findingOf(answer: Answer<Loan>, orderId: string): Promise<Finding | undefined> {
    switch (answer.kind) {
      case "deferred":
        return undefined;
      case "unavailable":
        return "unreachable";
      case "absent":
        return "absent";
      case "found": {
        const { kind } = await settle(answer.value, orderId);
        switch (kind) {
          case "undecided":
            return undefined;
          case "bound":
            return "seen";
          case "refused":
          case "ignored":
            return "refused";
        }
      }
    }
  }

  /**
   * Stores a finding, and ends the lease. Forgets a loan that was presented long ago and is not
   * bound: anybody can present any id. If it belongs to the order after all, the sweep finds it,
   * unless its report is not understood; so a loan without a usable answer is kept while its order
   * awaits payment.
   */
  async function conclude(
    key: PresentedLoan,
    lease: CheckLease,
    finding: Finding | undefined,
  ): Promise<CheckResult> {
    if (finding === undefined) {
      await releaseCheck(db, key);
      return deferredResult(await read(key), provider);
    }
    await finishCheck(db, key, finishedCheck(lease, finding, now(), times));
    const stored = await read(key);
    if (stored.finished) return finish(key, stored);
    const result = resultOf(stored);
    const bound = result.bound || finding === "seen";
    const isOld = now() - lease.createdAt > times.unboundLife;
    const isKept = finding === "unreachable" && (await isOpen(key.orderId, statusOf));
    if (!bound && isOld && !isKept) await remove(key);
    return { ...result, bound };
  }

  return async ({ orderId, loanId }, presenter) => {
    const withKey = presenter?.holdsKey === true;
    const key = { orderId, loanId, withKey };
    const share = presenter && shareOf(presenter, orderId);
    const stored = await read(key);
    if (stored.finished) return finish(key, stored);
    const bound = stored.loan !== undefined;
    // Queued before the call, so that the loan is kept if no call is left. Bound loans are not: the
    // sweep finds them, and there may be thousands of their checks a second.
    const isQueuedFirst = stored.mayBeQueued && (withKey || !bound);
    if (isQueuedFirst && !(await queue(key)) && !bound) return resultOf(stored);
    if (!stored.due) return resultOf(stored);
    const ask = await takeQuestion(bound, share);
    if (ask === undefined) return deferredResult(stored, provider);
    if (stored.mayBeQueued && !isQueuedFirst && !(await queue(key))) return resultOf(stored);
    const lease = await leaseCheck(db, key, { now: now(), until: now() + times.lease });
    if (lease === undefined) return resultOf(await read(key));
    try {
      const finding = await findingOf(await ask(loanId), orderId);
      const result = await conclude(key, lease, finding);
      if (result.bound && share !== undefined) shares.release(share);
      return result;
    } catch (error) {
      // Backs off as after any other failure. Otherwise checks that always fail would stay at the
      // head of the queue.
      await finishCheck(db, key, finishedCheck(lease, undefined, now(), times));
      throw error;
    }
  };
}

/**
 * One share per network and key, so that clients who invent loans do not delay key holders behind
 * the same address.
 */
function shareOf({ client, holdsKey }: Presenter, orderId: string): string {
  return holdsKey ? `${client} ${orderId}` : client;
}

/**
 * Whether an order awaits payment. One with a status that this version does not know is left to the
 * version that stored it.
 */
async function isOpen(orderId: string, statusOf: Dependencies["statusOf"]): Promise<boolean> {
  const status = await statusOf(orderId);
  return status === undefined || (isOrderStatus(status) && awaitsPayment(status));
}

/** Creates the function that reads what is stored about a loan; concurrent reads share queries. */
function createRead({ database: { db }, statusOf, leaseNow: now }: Dependencies) {
  const loanOf = readInGroups((ids: readonly string[]) => findLoans(db, ids));
  const queueOf = readInGroups((orderIds: readonly string[]) =>
    findQueuedLoans(db, orderIds, now()),
  );

  async function isFinished({ state }: StoredLoan, orderId: string): Promise<boolean> {
    return state === "paid-out" || state === "ended" || !(await isOpen(orderId, statusOf));
  }

  return async (key: PresentedLoan): Promise<Stored> => {
    const { orderId, loanId } = key;
    const [found, queue = []] = await Promise.all([loanOf(loanId), queueOf(orderId)]);
    const isBound = found?.orderId === orderId && found.refusal === undefined;
    const loan = isBound ? found : undefined;
    const queued = queue.find((one) => one.loanId === loanId);
    const changed = withLoan(queue, key);
    const mayBeQueued = changed !== undefined && changed !== queue;
    return {
      loan,
      queued,
      mayBeQueued,
      due: queued?.due ?? mayBeQueued,
      finished: loan !== undefined && queued?.again !== true && (await isFinished(loan, orderId)),
    };
  };
}

/** The result from the stored state, without asking the provider. */
function resultOf({ loan, queued }: Stored): CheckResult {
  const bound = loan !== undefined;
  const { finding = "waiting" } = queued ?? {};
  const isSeen = bound && finding === "waiting";
  return { bound, done: false, finding: isSeen ? "seen" : finding, deferred: false };
}

/**
 * The result of a deferred check. It clears `unreachable` as soon as the provider is reachable
 * again, without a call of its own.
 */
function deferredResult(stored: Stored, { reachable }: LoanProvider): CheckResult {
  const result = resultOf(stored);
  const isBack = result.finding === "unreachable" && reachable;
  const finding = result.bound ? "seen" : "waiting";
  return { ...result, finding: isBack ? finding : result.finding, deferred: true };
}

/**
 * The row of a finished check. With subscribers, the next check is due after 2 seconds, or after a
 * backoff if the provider has no such loan for the order. Without, it is due after half the loan's
 * age, because the sweep finds changes too, or after a backoff.
 */
function finishedCheck(
  { failures, createdAt }: CheckLease,
  finding: Finding | undefined,
  now: number,
  times: CheckTimes,
): FinishedCheck {
  const isSeen = finding === "seen";
  const isNotOurs = finding === "absent" || finding === "refused";
  const wait = isNotOurs ? backoff(failures, times.absent, times.absentLongest) : times.followed;
  const unfollowed = isSeen
    ? Math.min(times.longest, Math.max(times.unfollowed, Math.round((now - createdAt) / 2)))
    : backoff(failures, times.followed, times.longest);
  return {
    finding,
    failures: isSeen ? 0 : failures + 1,
    notBefore: now + wait,
    nextAt: now + Math.max(wait, unfollowed),
  };
}
