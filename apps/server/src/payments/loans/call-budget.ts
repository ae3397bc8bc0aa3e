import { type Clock, elapsed } from "../../clock.ts";
import type { Database, UnitOfWork } from "../../db/database.ts";
import { commitInGroups } from "../../db/in-groups.ts";

/**
 * The priority of a call. `urgent`: many requests depend on it, such as the account's id or the
 * sweep. `bound`: a loan that is bound to its order. `unbound`: a loan that a shopper has presented
 * and that may not exist.
 */
export type Importance = "urgent" | "bound" | "unbound";

/**
 * How many calls the bucket must hold for a call of each importance: the last ones are reserved for
 * higher priorities.
 */
const needed: Readonly<Record<Importance, number>> = { urgent: 1, bound: 2, unbound: 3 };

/** The rate limit for all processes together, which is also the capacity of the bucket. */
const CALLS_PER_SECOND = 5;

/**
 * Calls per second that are reserved for unbound loans, because a shopper who has just paid
 * presents one.
 */
const UNBOUND_SHARE = 1;

/** The longest pause that a provider may ask for, in milliseconds. A longer one is cut to this. */
export const LONGEST_PAUSE = 120_000;
/**
 * The tolerated clock skew between processes, in milliseconds. A stored time further ahead is from
 * before a clock was set back.
 */
const CLOCKS_DIFFER = 5_000;

/**
 * A rate limit for the calls to the provider. It allows none while the provider has asked for a
 * pause.
 */
export interface CallBudget {
  /** @returns whether a call of this importance may be made now; if so, it is counted */
  take(importance: Importance): Promise<boolean>;
  /** Allows no call for this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

/**
 * A token bucket with the capacity of one second; its last tokens are reserved for higher
 * priorities. Times in milliseconds.
 */
interface BudgetState {
  readonly calls: number;
  /** The tokens left of those reserved for unbound loans. */
  readonly share: number;
  readonly filledAt: number;
  readonly pausedUntil: number;
}

/** What an act makes of a budget that is refilled up to now. */
interface Acted {
  readonly state: BudgetState;
  readonly granted: boolean;
  /** In how many milliseconds the next call of this importance may be granted. */
  readonly wait: number;
}

type Act = (state: BudgetState) => Acted;

function fullBudget(now: number): BudgetState {
  return { calls: CALLS_PER_SECOND, share: UNBOUND_SHARE, filledAt: now, pausedUntil: 0 };
}

function refilled(state: BudgetState, now: number): BudgetState {
  const seconds = Math.max(0, now - state.filledAt) / 1000;
  return {
    calls: Math.min(CALLS_PER_SECOND, state.calls + seconds * CALLS_PER_SECOND),
    share: Math.min(UNBOUND_SHARE, state.share + seconds * UNBOUND_SHARE),
    // With its own clock behind, a process must not refill a period for which the bucket was filled
    // already.
    filledAt: state.filledAt > now + CLOCKS_DIFFER ? now : Math.max(state.filledAt, now),
    pausedUntil: state.pausedUntil > now + LONGEST_PAUSE + CLOCKS_DIFFER ? 0 : state.pausedUntil,
  };
}

function taking(importance: Importance): Act {
  return (state) => {
    const taken = takeOne(state, importance);
    const left = taken ?? state;
    return { state: left, granted: taken !== undefined, wait: waitFor(left, importance) };
  };
}

function pausing(milliseconds: number): Act {
  return (state) => {
    const pausedUntil = Math.max(state.pausedUntil, state.filledAt + milliseconds);
    return { state: { ...state, pausedUntil }, granted: false, wait: 0 };
  };
}

/** Takes one call; `undefined` if none is left for this importance. */
function takeOne(state: BudgetState, importance: Importance): BudgetState | undefined {
  if (state.filledAt < state.pausedUntil) return undefined;
  const isShared = importance === "unbound" && state.share >= 1;
  if (state.calls < (isShared ? 1 : needed[importance])) return undefined;
  return { ...state, calls: state.calls - 1, share: isShared ? state.share - 1 : state.share };
}

function waitFor(state: BudgetState, importance: Importance): number {
  const missing = Math.max(0, needed[importance] - state.calls) / CALLS_PER_SECOND;
  const refill = importance === "unbound" ? Math.min(missing, 1 - state.share) : missing;
  return Math.max(refill * 1000, state.pausedUntil - state.filledAt, 0);
}

/** A budget in memory, for a shop that runs as a single process. */
export function createCallBudget(now: Clock): CallBudget {
  let state = fullBudget(now());
  function run(act: Act): boolean {
    const acted = act(refilled(state, now()));
    state = acted.state;
    return acted.granted;
  }
  return {
    take: async (importance) => run(taking(importance)),
    pause: async (milliseconds) => void run(pausing(milliseconds)),
  };
}

/** The row that all processes share. */
const ROW = "provider";

/**
 * One budget in the database for all processes: the rate limit holds for their calls together, and
 * a pause that one of them was asked for holds for all.
 *
 * @param now the clock that all processes share
 */
export function createSharedCallBudget(database: Database, now: Clock): CallBudget {
  const run = commitInGroups(database, async (unit, acts: readonly Act[]) => {
    await unit.lock("call-budget");
    const time = now();
    let state = refilled((await readState(unit)) ?? fullBudget(time), time);
    const results = acts.map((act) => {
      const acted = act(state);
      state = acted.state;
      return acted;
    });
    await writeState(unit, state);
    return results;
  });
  /**
   * The time before which no call of an importance is left, so that callers who retry do not query
   * the database each time.
   */
  const noneUntil = new Map<Importance, number>();
  return {
    async take(importance) {
      if ((noneUntil.get(importance) ?? 0) > elapsed()) return false;
      const { granted, wait } = await run(taking(importance));
      if (!granted) noneUntil.set(importance, elapsed() + wait);
      return granted;
    },
    pause: async (milliseconds) => void (await run(pausing(milliseconds))),
  };
}

async function readState({ db }: UnitOfWork): Promise<BudgetState | undefined> {
  return db
    .selectFrom("call_budget")
    .select(["calls", "share", "filled_at as filledAt", "paused_until as pausedUntil"])
    .where("name", "=", ROW)
    .executeTakeFirst();
}

async function writeState({ db }: UnitOfWork, state: BudgetState): Promise<void> {
  const values = {
    calls: state.calls,
    share: state.share,
    filled_at: state.filledAt,
    paused_until: state.pausedUntil,
  };
  await db
    .insertInto("call_budget")
    .values({ name: ROW, ...values })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
    .execute();
}

/** The sharing window in milliseconds: two check intervals of a subscriber's loan. */
const WINDOW = 4_000;
/**
 * The minimum number of shares. Other processes may serve the same client, and a client that
 * arrives later must find calls left.
 */
const FEWEST_PARTS = 4;

/** Divides the provider calls about unverified loans among the clients that present them. */
interface CallShares {
  /** Counts a call if the client may make one now. @returns whether it may */
  take(client: string): boolean;
  /** Uncounts a call that was not made, or whose loan belongs to its order. */
  release(client: string): void;
}

interface Client {
  wantedAt: number;
  taken: number[];
}

export function createCallShares(now: Clock): CallShares {
  /** Clients with calls in the window, most recent last. */
  const clients = new Map<string, Client>();

  function forgetBefore(time: number): void {
    for (const [name, { wantedAt }] of clients) {
      if (wantedAt > time) return;
      clients.delete(name);
    }
  }

  return {
    take(name) {
      const at = now();
      forgetBefore(at - WINDOW);
      const client = clients.get(name) ?? { wantedAt: at, taken: [] };
      clients.delete(name);
      clients.set(name, client);
      client.wantedAt = at;
      client.taken = client.taken.filter((time) => time > at - WINDOW);
      const parts = Math.max(FEWEST_PARTS, clients.size + 1);
      const share = Math.max(1, Math.floor((CALLS_PER_SECOND * WINDOW) / 1000 / parts));
      if (client.taken.length >= share) return false;
      client.taken.push(at);
      return true;
    },
    release(name) {
      clients.get(name)?.taken.pop();
    },
  };
}
