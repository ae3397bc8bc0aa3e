import { groupCommit } from "../../../platform/database/batching.ts";
import type { Database, UnitOfWork } from "../../../platform/database/database.ts";
import { type Clock, elapsed } from "../../../platform/scheduling/clock.ts";

/**
 * The priority of a call. `urgent`: many requests depend on it, such as the account's id or the
 * sweep. `bound`: a loan that is bound to its order. `unbound`: a presented loan, which may not
 * exist.
 */
export type Priority = "urgent" | "bound" | "unbound";

/** How many calls the bucket must hold: the last ones are reserved for higher priorities. */
const needed: Readonly<Record<Priority, number>> = { urgent: 1, bound: 2, unbound: 3 };

/** The rate limit for all processes together, which is also the capacity of the bucket. */
export const CALLS_PER_SECOND = 5;

/**
 * Calls per second that are reserved for unbound loans: a customer who has just paid presents one.
 */
const UNBOUND_RESERVE = 1;

/** A longer pause that a provider demands is cut to this, in milliseconds. */
export const MAX_PAUSE = 120_000;
/**
 * The tolerated clock skew between processes that share the budget, in milliseconds. A stored time
 * further ahead is from before a clock was set back.
 */
const MAX_BUDGET_SKEW = 5_000;

/** A rate limit of calls to the provider. It allows none while the provider demands a pause. */
export interface CallBudget {
  /** @returns whether a call of this priority may be made now; if so, it is counted */
  take(priority: Priority): Promise<boolean>;
  pause(milliseconds: number): Promise<void>;
}

/** A token bucket with the capacity of one second. Times in milliseconds. */
interface BudgetState {
  readonly calls: number;
  /** The tokens left of those reserved for unbound loans. */
  readonly reserve: number;
  readonly filledAt: number;
  readonly pausedUntil: number;
}

/** `wait`: the time until a call may be granted, in milliseconds; 0 if it is granted now. */
type ChangeBudget = (state: BudgetState) => { state: BudgetState; wait: number };

function fullBudget(now: number): BudgetState {
  return { calls: CALLS_PER_SECOND, reserve: UNBOUND_RESERVE, filledAt: now, pausedUntil: 0 };
}

function refilled(state: BudgetState, now: number): BudgetState {
  const seconds = Math.max(0, now - state.filledAt) / 1000;
  return {
    calls: Math.min(CALLS_PER_SECOND, state.calls + seconds * CALLS_PER_SECOND),
    reserve: Math.min(UNBOUND_RESERVE, state.reserve + seconds * UNBOUND_RESERVE),
    // With its own clock behind, a process must not refill a period for which the bucket was already
    // filled.
    filledAt: state.filledAt > now + MAX_BUDGET_SKEW ? now : Math.max(state.filledAt, now),
    pausedUntil: state.pausedUntil > now + MAX_PAUSE + MAX_BUDGET_SKEW ? 0 : state.pausedUntil,
  };
}

function taking(priority: Priority): ChangeBudget {
  return (state) => {
    const wait = waitFor(state, priority);
    if (wait > 0) return { state, wait };
    const fromReserve = priority === "unbound" && state.reserve >= 1;
    const reserve = fromReserve ? state.reserve - 1 : state.reserve;
    return { state: { ...state, calls: state.calls - 1, reserve }, wait };
  };
}

function waitFor({ calls, reserve, filledAt, pausedUntil }: BudgetState, priority: Priority) {
  const secondsUntil = (count: number) => (count - calls) / CALLS_PER_SECOND;
  const fromAll = secondsUntil(needed[priority]);
  const fromReserve = Math.max(secondsUntil(1), (1 - reserve) / UNBOUND_RESERVE);
  const seconds = priority === "unbound" ? Math.min(fromAll, fromReserve) : fromAll;
  return Math.max(0, seconds * 1000, pausedUntil - filledAt);
}

function pausing(milliseconds: number): ChangeBudget {
  return (state) => {
    const pausedUntil = Math.max(state.pausedUntil, state.filledAt + milliseconds);
    return { state: { ...state, pausedUntil }, wait: 0 };
  };
}

/** In memory, for a shop that runs as a single process. */
export function createCallBudget(now: Clock): CallBudget {
  let state = fullBudget(now());
  function run(change: ChangeBudget): number {
    const changed = change(refilled(state, now()));
    state = changed.state;
    return changed.wait;
  }
  return {
    take: async (priority) => run(taking(priority)) === 0,
    pause: async (milliseconds) => void run(pausing(milliseconds)),
  };
}

const BUDGET_ROW = "provider";

/** One budget in the database for all processes, by the clock that they share. */
export function createSharedCallBudget(database: Database, now: Clock): CallBudget {
  const run = groupCommit(database, async (unit, changes: readonly ChangeBudget[]) => {
    await unit.lock("call-budget");
    const time = now();
    let state = refilled((await readState(unit)) ?? fullBudget(time), time);
    const waits = changes.map((change) => {
      const changed = change(state);
      state = changed.state;
      return changed.wait;
    });
    await writeState(unit, state);
    return waits;
  });
  /** The time before which no call is left, so that retries do not query the database. */
  const noneUntil = new Map<Priority, number>();
  return {
    async take(priority) {
      if ((noneUntil.get(priority) ?? 0) > elapsed()) return false;
      const wait = await run(taking(priority));
      noneUntil.set(priority, elapsed() + wait);
      return wait === 0;
    },
    pause: async (milliseconds) => void (await run(pausing(milliseconds))),
  };
}

async function readState({ db }: UnitOfWork): Promise<BudgetState | undefined> {
  return db
    .selectFrom("call_budget")
    .select(["calls", "share as reserve", "filled_at as filledAt", "paused_until as pausedUntil"])
    .where("name", "=", BUDGET_ROW)
    .executeTakeFirst();
}

async function writeState({ db }: UnitOfWork, state: BudgetState): Promise<void> {
  const values = {
    calls: state.calls,
    share: state.reserve,
    filled_at: state.filledAt,
    paused_until: state.pausedUntil,
  };
  await db
    .insertInto("call_budget")
    .values({ name: BUDGET_ROW, ...values })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
    .execute();
}
