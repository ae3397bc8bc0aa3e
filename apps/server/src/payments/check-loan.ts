import { awaitsPayment, isOrderStatus } from "@keepsats/domain";
import { backoff } from "../backoff.ts";
import { type Clock, elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { commitInGroups, readInGroups } from "../db/in-groups.ts";
import type { StoredStatus } from "../orders/index.ts";
import { PROVIDER_CALLS_PER_SECOND } from "./call-budget.ts";
import { createCallShares } from "./call-shares.ts";
import {
  addChecks,
  type CheckKey,
  type CheckOutcome,
  type FinishedCheck,
  findChecks,
  finishCheck,
  leaseCheck,
  type PresentedLoan,
  placeAmong,
  releaseCheck,
  removeChecks,
} from "./check-repository.ts";
import { type CheckResult, deferredResult, resultOf, type StoredCheck } from "./check-result.ts";
import type { Loan } from "./loan.ts";
import type { Answer, LoanProvider } from "./loan-provider.ts";
import { type BoundLoan, findLoans } from "./loan-repository.ts";
import type { Settle } from "./settlement.ts";

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
  /** The interval between two checks of a loan that has followers. */
  readonly followed: number;
  /** The backoff after the provider's first "no such loan"; it doubles after each further one. */
  readonly absent: number;
  /** The longest backoff after "no such loan". */
  readonly absentLongest: number;
  /** The wait before the second check of a loan without followers. */
  readonly unfollowed: number;
  /** The longest interval between two checks of a loan without followers. */
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

interface Context extends Dependencies {
  readonly read: (loan: PresentedLoan) => Promise<StoredCheck>;
  readonly remove: (key: CheckKey) => Promise<unknown>;
}

interface Leased {
  readonly failures: number;
  readonly createdAt: number;
}

/**
 * Creates {@link CheckLoan}. If several processes check a loan at once, only the one with the lease
 * asks the provider. A deferred check stores nothing, because there may be thousands of them a
 * second.
 */
export function createCheckLoan(dependencies: Dependencies): CheckLoan {
  const { database, provider, leaseNow: now, times } = dependencies;
  const { db } = database;
  const read = createRead(dependencies);
  const shares = createCallShares(PROVIDER_CALLS_PER_SECOND, elapsed);
  const add = commitInGroups(database, (unit, loans: readonly PresentedLoan[]) =>
    addChecks(unit, loans, now()),
  );
  const remove = commitInGroups(database, async (unit, keys: readonly CheckKey[]) => {
    await removeChecks(unit.db, keys);
    return keys;
  });
  const context: Context = { ...dependencies, read, remove };

  async function takeQuestion(bound: boolean, share: string | undefined) {
    if (bound || share === undefined) return provider.takeQuestion(bound);
    if (!shares.take(share)) return undefined;
    const ask = await provider.takeQuestion(bound);
    if (ask === undefined) shares.release(share);
    return ask;
  }

  return async ({ orderId, contractId }, presenter) => {
    const withKey = presenter?.holdsKey === true;
    const key = { orderId, contractId, withKey };
    const share = presenter && shareOf(presenter, orderId);
    const stored = await read(key);
    if (stored.finished) return finish(key, stored, context);
    const bound = stored.loan !== undefined;
    // Stored before the call, so that the loan is kept if no call is left. Bound loans are not: the
    // sweep finds them, and there may be thousands of their checks a second.
    const isStoredFirst = stored.hasNewPlace && (withKey || !bound);
    if (isStoredFirst && !(await add(key)) && !bound) return resultOf(stored);
    if (!stored.due) return resultOf(stored);
    const ask = await takeQuestion(bound, share);
    if (ask === undefined) return deferredResult(stored, provider);
    if (stored.hasNewPlace && !isStoredFirst && !(await add(key))) return resultOf(stored);
    const lease = await leaseCheck(db, key, { now: now(), until: now() + times.lease });
    if (lease === undefined) return resultOf(await read(key));
    try {
      const result = await conclude(key, lease, await ask(contractId), context);
      if (result.bound && share !== undefined) shares.release(share);
      return result;
    } catch (error) {
      // Backs off as after any other failure. Otherwise checks that always fail would stay at the
      // head of the queue.
      await finishCheck(db, key, finishedCheck(lease, undefined, times.followed, dependencies));
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

/** Creates the function that reads a stored check; concurrent reads share queries. */
function createRead({ database: { db }, statusOf, leaseNow: now }: Dependencies): Context["read"] {
  const loanOf = readInGroups((ids: readonly string[]) => findLoans(db, ids));
  const checksOf = readInGroups((orderIds: readonly string[]) => findChecks(db, orderIds, now()));

  async function isFinished({ standing, orderId }: BoundLoan): Promise<boolean> {
    if (standing === "paid" || standing === "over") return true;
    const status = await statusOf(orderId);
    return status !== undefined && !(isOrderStatus(status) && awaitsPayment(status));
  }

  return async ({ orderId, contractId, withKey = false }) => {
    const [found, checks = []] = await Promise.all([loanOf(contractId), checksOf(orderId)]);
    const loan = found?.orderId === orderId ? found : undefined;
    const check = checks.find((check) => check.contractId === contractId);
    const isStored = check !== undefined && (check.withKey || !withKey);
    const hasNewPlace = !isStored && placeAmong(checks, withKey) !== undefined;
    return {
      loan,
      check,
      hasNewPlace,
      due: check?.due ?? hasNewPlace,
      finished: loan !== undefined && (await isFinished(loan)),
    };
  };
}

/**
 * Ends the checks of a bound loan that is paid or over, or whose order does not await payment. An
 * order with a status that this version does not know is left to the version that stored it.
 */
async function finish(
  key: PresentedLoan,
  { check }: StoredCheck,
  { remove }: Context,
): Promise<CheckResult> {
  if (check !== undefined) await remove(key);
  return { bound: true, done: true, finding: "seen", deferred: false };
}

/**
 * The wait before the next check of a loan without followers: half its age, within limits. The
 * sweep finds changes meanwhile.
 */
function unfollowedWait(
  { createdAt }: Leased,
  now: number,
  { unfollowed, longest }: CheckTimes,
): number {
  return Math.min(longest, Math.max(unfollowed, Math.round((now - createdAt) / 2)));
}

/**
 * The row of a finished check. With followers, the next check is due after `wait`; without, after a
 * backoff.
 */
function finishedCheck(
  lease: Leased,
  outcome: CheckOutcome | undefined,
  wait: number,
  { leaseNow: now, times }: Dependencies,
): FinishedCheck {
  const failures = outcome === "ok" ? 0 : lease.failures + 1;
  const next = Math.max(wait, backoff(lease.failures, times.followed, times.longest));
  return { outcome, failures, notBefore: now() + wait, nextAt: now() + next };
}

/** Settles the provider's answer, and ends the lease. */
async function conclude(
  key: PresentedLoan,
  lease: Leased,
  answer: Answer<Loan>,
  context: Context,
): Promise<CheckResult> {
  const { settle, times } = context;
  switch (answer.kind) {
    case "deferred":
      return release(key, context);
    case "unavailable":
      return concludeUnbound(
        key,
        lease,
        finishedCheck(lease, "unreachable", times.followed, context),
        context,
      );
    case "absent":
      return concludeNotOurs(key, lease, "absent", context);
    case "found": {
      const settlement = await settle(answer.value, key.orderId);
      switch (settlement.kind) {
        case "undecided":
          return release(key, context);
        case "bound":
          return concludeBound(key, lease, context);
        case "refused":
        case "ignored":
          return concludeNotOurs(key, lease, "refused", context);
      }
    }
  }
}

async function release(
  key: PresentedLoan,
  { database, provider, read }: Context,
): Promise<CheckResult> {
  await releaseCheck(database.db, key);
  return deferredResult(await read(key), provider);
}

async function concludeBound(
  key: PresentedLoan,
  lease: Leased,
  context: Context,
): Promise<CheckResult> {
  const { database, leaseNow: now, times, read } = context;
  const stored = await read(key);
  if (stored.finished) return finish(key, stored, context);
  const nextAt = now() + unfollowedWait(lease, now(), times);
  await finishCheck(database.db, key, {
    ...finishedCheck(lease, "ok", times.followed, context),
    nextAt,
  });
  return { bound: true, done: false, finding: "seen", deferred: false };
}

function concludeNotOurs(
  key: PresentedLoan,
  lease: Leased,
  outcome: "absent" | "refused",
  context: Context,
): Promise<CheckResult> {
  const { absent, absentLongest } = context.times;
  const wait = backoff(lease.failures, absent, absentLongest);
  return concludeUnbound(key, lease, finishedCheck(lease, outcome, wait, context), context);
}

/**
 * Stores a check that did not bind the loan, and forgets a loan that was presented long ago and is
 * not bound: anybody can present any id. If it belongs to the order after all, the sweep finds it.
 */
async function concludeUnbound(
  key: PresentedLoan,
  { createdAt }: Leased,
  finished: FinishedCheck,
  { database, leaseNow: now, times, read, remove }: Context,
): Promise<CheckResult> {
  await finishCheck(database.db, key, finished);
  const result = resultOf(await read(key));
  if (!result.bound && now() - createdAt > times.unboundLife) await remove(key);
  return result;
}
