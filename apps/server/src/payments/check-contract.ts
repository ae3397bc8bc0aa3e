import { awaitsPayment, type OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { commitInGroups, readInGroups } from "../db/in-groups.ts";
import {
  addChecks,
  type CheckKey,
  type CheckResult,
  type CheckState,
  findChecks,
  finishCheck,
  leaseCheck,
  MAX_CHECKS_PER_ORDER,
  releaseCheck,
  removeChecks,
} from "./check-repository.ts";
import { type BoundContract, findContracts } from "./contract-repository.ts";
import type { Answer, LoanProvider, ProviderContract } from "./loan-provider.ts";
import type { Settle, Settlement } from "./settlement.ts";

/**
 * How a presented contract stands.
 * `bound`: it belongs to the order. `done`: there is nothing more to ask.
 * `sight`: whether the provider was reached, denied it (`absent`), could not be reached, or has not been asked yet.
 * `deferred`: the provider was to be asked and was not, for there are more questions than it is asked at a time.
 */
export interface Look {
  readonly bound: boolean;
  readonly done: boolean;
  readonly sight: "seen" | "absent" | "unreachable" | "waiting";
  readonly deferred: boolean;
}

/** Looks at a contract that was presented for an order, and settles what it finds. */
export type CheckContract = (key: CheckKey) => Promise<Look>;

/** All in milliseconds. */
export interface CheckTimes {
  /** Between two looks at a contract that somebody follows. */
  readonly followed: number;
  /** How long the provider's first "no such contract" is believed; each further one twice as long. */
  readonly absent: number;
  /** How long such a "no" is believed at the most. */
  readonly absentLongest: number;
  /** Until a contract that nobody follows is looked at again, where it was presented just now. */
  readonly unfollowed: number;
  /** The longest pause between two looks at a contract that nobody follows. */
  readonly longest: number;
  /** After this long an unbound contract is given up. */
  readonly unboundLife: number;
  /** How long one process keeps a check to itself. */
  readonly lease: number;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly settle: Settle;
  readonly statusOf: (orderId: string) => Promise<OrderStatus | undefined>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: CheckTimes;
}

/** What is known here of a contract that was presented for an order. */
interface ContractRecord {
  /** The contract, if it belongs to the order. */
  readonly contract: BoundContract | undefined;
  readonly check: CheckState | undefined;
  /** Whether the provider may be asked now: it is time, nobody else is at it, and the order takes one more contract. */
  readonly due: boolean;
  /** Nothing can change any more. */
  readonly finished: boolean;
}

interface Context extends Dependencies {
  readonly read: (key: CheckKey) => Promise<ContractRecord>;
  readonly remove: (key: CheckKey) => Promise<unknown>;
}

interface Leased {
  readonly failures: number;
  readonly createdAt: number;
}

/**
 * Makes {@link CheckContract}. However many processes look at once, one of them asks the provider. A look that has to be
 * deferred stores nothing: there may be thousands of them a second.
 */
export function createCheckContract(dependencies: Dependencies): CheckContract {
  const { database, provider, leaseNow: now, times } = dependencies;
  const { db } = database;
  const read = createRead(dependencies);
  const add = commitInGroups(database, (unit, keys: readonly CheckKey[]) => addChecks(unit, keys, now()));
  const remove = commitInGroups(database, async (unit, keys: readonly CheckKey[]) => {
    await removeChecks(unit.db, keys);
    return keys;
  });
  const context: Context = { ...dependencies, read, remove };

  return async (key) => {
    const record = await read(key);
    if (record.finished) return finish(key, record, context);
    if (!record.due) return lookOf(record);
    const bound = record.contract !== undefined;
    const note = async () => record.check !== undefined || (await add(key));
    // What is bound is found by the sweep too; anything else must be noted before it can wait for its turn.
    if (!bound && !(await note())) return lookOf(record);
    const ask = await provider.takeQuestion(bound);
    if (ask === undefined) return deferredLook(record, provider);
    if (bound && !(await note())) return lookOf(record);
    const lease = await leaseCheck(db, key, { now: now(), until: now() + times.lease });
    if (lease === undefined) return lookOf(await read(key));
    try {
      return await conclude(key, lease, await ask(key.contractId), context);
    } catch (error) {
      // As late as after any other failure: those that fail every time must not be the first ones each time.
      await finishCheck(db, key, resultOf(lease, undefined, times.followed, dependencies));
      throw error;
    }
  };
}

/** Makes what reads a record, together with those of others who look at the same time. */
function createRead({ database: { db }, statusOf, leaseNow: now }: Dependencies): Context["read"] {
  const contractOf = readInGroups((ids: readonly string[]) => findContracts(db, ids));
  const checksOf = readInGroups((orderIds: readonly string[]) => findChecks(db, orderIds, now()));

  async function isFinished({ meaning, orderId }: BoundContract): Promise<boolean> {
    if (meaning === "paid" || meaning === "over") return true;
    const status = await statusOf(orderId);
    return status !== undefined && !awaitsPayment(status);
  }

  return async ({ orderId, contractId }) => {
    const [found, checks = []] = await Promise.all([contractOf(contractId), checksOf(orderId)]);
    const contract = found?.orderId === orderId ? found : undefined;
    const check = checks.find((check) => check.contractId === contractId);
    return {
      contract,
      check,
      due: check?.due ?? checks.length < MAX_CHECKS_PER_ORDER,
      finished: contract !== undefined && (await isFinished(contract)),
    };
  };
}

/** A bound contract has nothing more to tell once it is paid or over, or its order waits for no money. */
async function finish(key: CheckKey, { check }: ContractRecord, { remove }: Context): Promise<Look> {
  if (check !== undefined) await remove(key);
  return { bound: true, done: true, sight: "seen", deferred: false };
}

function lookOf({ contract, check }: ContractRecord): Look {
  const bound = contract !== undefined;
  return { bound, done: false, sight: sightOf(check, bound), deferred: false };
}

/** A shopper who was told that the provider could not be reached hears of its return before it is the contract's turn. */
function deferredLook(record: ContractRecord, provider: LoanProvider): Look {
  const look = lookOf(record);
  const isBack = look.sight === "unreachable" && provider.reachable;
  return { ...look, sight: isBack ? sightOf(undefined, look.bound) : look.sight, deferred: true };
}

function sightOf(check: CheckState | undefined, bound: boolean): Look["sight"] {
  switch (check?.outcome) {
    case "refused":
    case "absent":
      return "absent";
    case "unreachable":
      return "unreachable";
    case "ok":
      return "seen";
    default:
      return bound ? "seen" : "waiting";
  }
}

/** Twice as long after each failure. */
function backOff(first: number, { failures }: Leased, longest: number): number {
  return Math.min(longest, first * 2 ** Math.min(failures, 10));
}

/** The older a contract is, the more seldom it is looked at where nobody follows it: the sweep finds what changes. */
function unfollowedWait({ createdAt }: Leased, now: number, { unfollowed, longest }: CheckTimes): number {
  return Math.min(longest, Math.max(unfollowed, Math.round((now - createdAt) / 2)));
}

/** What is kept of a look with this outcome: it may be asked again after `wait`, and is with more and more patience. */
function resultOf(
  lease: Leased,
  outcome: CheckResult["outcome"],
  wait: number,
  { leaseNow: now, times }: Dependencies,
): CheckResult {
  const failures = outcome === "ok" ? 0 : lease.failures + 1;
  const next = Math.max(wait, backOff(times.followed, lease, times.longest));
  return { outcome, failures, notBefore: now() + wait, nextAt: now() + next };
}

async function conclude(
  key: CheckKey,
  lease: Leased,
  answer: Answer<ProviderContract>,
  context: Context,
): Promise<Look> {
  const { database, provider, settle, leaseNow: now, times, read, remove } = context;
  const { db } = database;
  const after = (outcome: CheckResult["outcome"], wait: number) => resultOf(lease, outcome, wait, context);

  if (answer.kind === "deferred") {
    await releaseCheck(db, key);
    return deferredLook(await read(key), provider);
  }
  if (answer.kind === "unavailable") {
    await finishCheck(db, key, after("unreachable", times.followed));
    return lookOf(await read(key));
  }
  const settlement: Settlement | undefined =
    answer.kind === "found" ? await settle(answer.value, key.orderId) : undefined;
  if (settlement?.kind === "undecided") {
    await releaseCheck(db, key);
    return deferredLook(await read(key), provider);
  }
  if (settlement?.kind === "bound") {
    const record = await read(key);
    if (record.finished) return finish(key, record, context);
    const nextAt = now() + unfollowedWait(lease, now(), times);
    await finishCheck(db, key, { ...after("ok", times.followed), nextAt });
    return { bound: true, done: false, sight: "seen", deferred: false };
  }
  const wait = backOff(times.absent, lease, times.absentLongest);
  await finishCheck(db, key, after(answer.kind === "absent" ? "absent" : "refused", wait));
  const look = lookOf(await read(key));
  if (!look.bound && now() - lease.createdAt > times.unboundLife) await remove(key);
  return look;
}
