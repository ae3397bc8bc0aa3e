import { awaitsPayment, type OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import {
  addCheck,
  type CheckKey,
  type CheckResult,
  finishCheck,
  lastOutcome,
  leaseCheck,
  releaseCheck,
  removeCheck,
} from "./check-repository.ts";
import { type BoundContract, findContract } from "./contract-repository.ts";
import type { Answer, LoanProvider, ProviderContract } from "./loan-provider.ts";
import type { Settle, Settlement } from "./settlement.ts";

/**
 * How a presented contract stands.
 * `bound`: it belongs to the order. `done`: there is nothing more to ask.
 * `sight`: whether the provider was reached, denied it (`absent`), could not be reached, or has not been asked yet.
 */
export interface Look {
  readonly bound: boolean;
  readonly done: boolean;
  readonly sight: "seen" | "absent" | "unreachable" | "waiting";
}

/** Looks at a contract that was presented for an order, and settles what it finds. */
export type CheckContract = (key: CheckKey) => Promise<Look>;

/** All in milliseconds. */
export interface CheckTimes {
  /** Between two looks at a contract that somebody follows. */
  readonly followed: number;
  /** How long the provider's first "no such contract" is believed; each further one twice as long. */
  readonly absent: number;
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
  readonly now: Clock;
  readonly times: CheckTimes;
}

interface Leased {
  readonly failures: number;
  readonly createdAt: number;
}

/** Makes {@link CheckContract}. However many processes look at once, one of them asks the provider. */
export function createCheckContract(dependencies: Dependencies): CheckContract {
  const { database, provider, now, times } = dependencies;
  const { db } = database;

  return async (key) => {
    const contract = await boundContract(key, dependencies);
    if (contract !== undefined && (await isFinished(contract, dependencies))) {
      await removeCheck(db, key);
      return { bound: true, done: true, sight: "seen" };
    }
    if ((await lastOutcome(db, key)) === undefined) await addCheck(database, key, now());
    const lease = await leaseCheck(db, key, { now: now(), until: now() + times.lease });
    if (lease === undefined) return lookAtRecord(key, dependencies);
    try {
      const answer = await provider.contract(key.contractId, contract !== undefined);
      return await conclude(key, lease, answer, dependencies);
    } catch (error) {
      await releaseCheck(db, key);
      throw error;
    }
  };
}

/** The contract, if it is known to belong to the order. */
async function boundContract(key: CheckKey, { database }: Dependencies): Promise<BoundContract | undefined> {
  const contract = await findContract(database.db, key.contractId);
  return contract?.orderId === key.orderId ? contract : undefined;
}

/** A bound contract has nothing more to tell once it is paid or over, or its order waits for no money. */
async function isFinished(contract: BoundContract, { statusOf }: Dependencies): Promise<boolean> {
  if (contract.meaning === "paid" || contract.meaning === "over") return true;
  const status = await statusOf(contract.orderId);
  return status !== undefined && !awaitsPayment(status);
}

async function lookAtRecord(key: CheckKey, dependencies: Dependencies): Promise<Look> {
  const bound = (await boundContract(key, dependencies)) !== undefined;
  switch (await lastOutcome(dependencies.database.db, key)) {
    case "refused":
    case "absent":
      return { bound, done: false, sight: "absent" };
    case "unreachable":
      return { bound, done: false, sight: "unreachable" };
    case "ok":
      return { bound, done: false, sight: "seen" };
    default:
      return { bound, done: false, sight: bound ? "seen" : "waiting" };
  }
}

async function conclude(
  key: CheckKey,
  lease: Leased,
  answer: Answer<ProviderContract>,
  dependencies: Dependencies,
): Promise<Look> {
  const { database, settle, now, times } = dependencies;
  const { db } = database;
  const after = (outcome: CheckResult["outcome"], wait: number): CheckResult => {
    const failures = outcome === "ok" ? 0 : lease.failures + 1;
    const backOff = Math.min(times.longest, times.followed * 2 ** Math.min(lease.failures, 10));
    return { outcome, failures, notBefore: now() + wait, nextAt: now() + Math.max(wait, backOff) };
  };

  if (answer.kind === "deferred") {
    await releaseCheck(db, key);
    return lookAtRecord(key, dependencies);
  }
  if (answer.kind === "unavailable") {
    await finishCheck(db, key, after("unreachable", times.followed));
    return lookAtRecord(key, dependencies);
  }
  const settlement: Settlement | undefined =
    answer.kind === "found" ? await settle(answer.value, key.orderId) : undefined;
  if (settlement?.kind === "bound") {
    const contract = await boundContract(key, dependencies);
    if (contract !== undefined && (await isFinished(contract, dependencies))) {
      await removeCheck(db, key);
      return { bound: true, done: true, sight: "seen" };
    }
    await finishCheck(db, key, { ...after("ok", times.followed), nextAt: now() + times.longest / 4 });
    return { bound: true, done: false, sight: "seen" };
  }
  const wait = Math.min(times.longest, times.absent * 2 ** Math.min(lease.failures, 10));
  await finishCheck(db, key, after(answer.kind === "absent" ? "absent" : "refused", wait));
  const look = await lookAtRecord(key, dependencies);
  if (!look.bound && now() - lease.createdAt > times.unboundLife) await removeCheck(db, key);
  return look;
}
