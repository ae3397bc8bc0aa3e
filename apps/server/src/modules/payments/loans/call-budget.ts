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
const CALLS_PER_SECOND = 5;

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

/** `wait`: the time until the next call of this priority may be granted, in milliseconds. */
type ChangeBudget = (state: BudgetState) => { state: BudgetState; granted: boolean; wait: number };

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
    const fromReserve = priority === "unbound" && state.reserve >= 1;
    const isLeft = state.calls >= (fromReserve ? 1 : needed[priority]);
    if (!isLeft || state.filledAt < state.pausedUntil)
      return { state, granted: false, wait: waitFor(state, priority) };
    const reserve = fromReserve ? state.reserve - 1 : state.reserve;
    return { state: { ...state, calls: state.calls - 1, reserve }, granted: true, wait: 0 };
  };
}

function pausing(milliseconds: number): ChangeBudget {
  return (state) => {
    const pausedUntil = Math.max(state.pausedUntil, state.filledAt + milliseconds);
    return { state: { ...state, pausedUntil }, granted: false, wait: 0 };
  };
}

function waitFor(state: BudgetState, priority: Priority): number {
  const missing = Math.max(0, needed[priority] - state.calls) / CALLS_PER_SECOND;
  const refill = priority === "unbound" ? Math.min(missing, 1 - state.reserve) : missing;
  return Math.max(refill * 1000, state.pausedUntil - state.filledAt, 0);
}

/** In memory, for a shop that runs as a single process. */
export function createCallBudget(now: Clock): CallBudget {
  let state = fullBudget(now());
  function run(change: ChangeBudget): boolean {
    const changed = change(refilled(state, now()));
    state = changed.state;
    return changed.granted;
  }
  return {
    take: async (priority) => run(taking(priority)),
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
    const results = changes.map((change) => {
      const changed = change(state);
      state = changed.state;
      return changed;
    });
    await writeState(unit, state);
    return results;
  });
  /** The time before which no call is left, so that retries do not query the database. */
  const noneUntil = new Map<Priority, number>();
  return {
    async take(priority) {
      if ((noneUntil.get(priority) ?? 0) > elapsed()) return false;
      const { granted, wait } = await run(taking(priority));
      if (!granted) noneUntil.set(priority, elapsed() + wait);
      return granted;
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

/** The sharing window in milliseconds: two check intervals of a subscriber's loan. */
const WINDOW = 4_000;
/**
 * The fewest shares: other processes may serve the same client, and a client that arrives later
 * must find calls left.
 */
const MIN_SHARES = 4;

/** Divides the provider calls about unbound loans among the clients that present them. */
export function createCallShares(now: Clock) {
  /** Clients with calls in the window, most recent last. */
  const clients = new Map<string, { wantedAt: number; taken: number[] }>();

  function forgetBefore(time: number): void {
    for (const [name, { wantedAt }] of clients) {
      if (wantedAt > time) return;
      clients.delete(name);
    }
  }

  return {
    /** @returns whether the client may make a call now; if so, it is counted */
    take(name: string): boolean {
      const at = now();
      forgetBefore(at - WINDOW);
      const client = clients.get(name) ?? { wantedAt: at, taken: [] };
      clients.delete(name);
      clients.set(name, client);
      client.wantedAt = at;
      client.taken = client.taken.filter((time) => time > at - WINDOW);
      const parts = Math.max(MIN_SHARES, clients.size + 1);
      const share = Math.max(1, Math.floor((CALLS_PER_SECOND * WINDOW) / 1000 / parts));
      if (client.taken.length >= share) return false;
      client.taken.push(at);
      return true;
    },
    /** Uncounts a call that was not made, or whose loan belongs to its order. */
    release(name: string): void {
      clients.get(name)?.taken.pop();
    },
  };
}
