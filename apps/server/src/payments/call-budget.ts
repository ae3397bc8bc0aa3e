import { type Clock, elapsed } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";

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

export const PROVIDER_CALLS_PER_SECOND = 5;

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

/** How fast the bucket fills, and the current time. */
interface Rate {
  readonly callsPerSecond: number;
  readonly now: number;
}

type Act =
  | { readonly kind: "take"; readonly importance: Importance }
  | { readonly kind: "pause"; readonly milliseconds: number };

/**
 * The result of an act: whether a call was granted, and in how many milliseconds the next one may
 * be.
 */
interface Outcome {
  readonly granted: boolean;
  readonly wait: number;
}

function fullBudget({ callsPerSecond, now }: Rate): BudgetState {
  return { calls: callsPerSecond, share: UNBOUND_SHARE, filledAt: now, pausedUntil: 0 };
}

function refilled(state: BudgetState, { callsPerSecond, now }: Rate): BudgetState {
  const seconds = Math.max(0, now - state.filledAt) / 1000;
  return {
    calls: Math.min(callsPerSecond, state.calls + seconds * callsPerSecond),
    share: Math.min(UNBOUND_SHARE, state.share + seconds * UNBOUND_SHARE),
    // With its own clock behind, a process must not refill a period for which the bucket was filled
    // already.
    filledAt: state.filledAt > now + CLOCKS_DIFFER ? now : Math.max(state.filledAt, now),
    pausedUntil: state.pausedUntil > now + LONGEST_PAUSE + CLOCKS_DIFFER ? 0 : state.pausedUntil,
  };
}

/**
 * Takes one call; `undefined` if none is left for this importance. @param state refilled up to now
 */
function takeOne(state: BudgetState, importance: Importance): BudgetState | undefined {
  if (state.filledAt < state.pausedUntil) return undefined;
  const isShared = importance === "unbound" && state.share >= 1;
  if (state.calls < (isShared ? 1 : needed[importance])) return undefined;
  return { ...state, calls: state.calls - 1, share: isShared ? state.share - 1 : state.share };
}

/** The time until a call of this importance may be granted, in milliseconds. */
function waitFor(state: BudgetState, importance: Importance, { callsPerSecond }: Rate): number {
  const missing = Math.max(0, needed[importance] - state.calls) / callsPerSecond;
  const refill = importance === "unbound" ? Math.min(missing, 1 - state.share) : missing;
  return Math.max(refill * 1000, state.pausedUntil - state.filledAt, 0);
}

/** Applies one act to a budget. @param before `undefined` for a new budget, which is full */
function actOn(
  before: BudgetState | undefined,
  act: Act,
  rate: Rate,
): { readonly state: BudgetState; readonly outcome: Outcome } {
  const state = before === undefined ? fullBudget(rate) : refilled(before, rate);
  switch (act.kind) {
    case "pause": {
      const pausedUntil = Math.max(state.pausedUntil, rate.now + act.milliseconds);
      return { state: { ...state, pausedUntil }, outcome: { granted: false, wait: 0 } };
    }
    case "take": {
      const taken = takeOne(state, act.importance);
      const left = taken ?? state;
      return {
        state: left,
        outcome: { granted: taken !== undefined, wait: waitFor(left, act.importance, rate) },
      };
    }
  }
}

function budgetBy(act: (act: Act) => Promise<Outcome>): CallBudget {
  return {
    take: async (importance) => (await act({ kind: "take", importance })).granted,
    pause: async (milliseconds) => void (await act({ kind: "pause", milliseconds })),
  };
}

/** A budget in memory, for a shop that runs as a single process. */
export function createCallBudget(callsPerSecond: number, now: Clock): CallBudget {
  let state = fullBudget({ callsPerSecond, now: now() });
  return budgetBy(async (act) => {
    const acted = actOn(state, act, { callsPerSecond, now: now() });
    state = acted.state;
    return acted.outcome;
  });
}

/** The row that all processes share. */
const ROW = "provider";

/**
 * One budget in the database for all processes: the rate limit holds for their calls together, and
 * a pause that one of them was asked for holds for all.
 *
 * @param now the clock that all processes share
 */
export function createSharedCallBudget(
  database: Database,
  callsPerSecond: number,
  now: Clock,
): CallBudget {
  const act = commitInGroups(database, (unit, acts: readonly Act[]) =>
    actOnRow(unit, acts, { callsPerSecond, now: now() }),
  );
  /**
   * The time before which no call of an importance is left, so that callers who retry do not query
   * the database each time.
   */
  const noneUntil = new Map<Importance, number>();
  return budgetBy(async (one) => {
    if (one.kind === "pause") return act(one);
    const left = (noneUntil.get(one.importance) ?? 0) - elapsed();
    if (left > 0) return { granted: false, wait: left };
    const outcome = await act(one);
    if (!outcome.granted) noneUntil.set(one.importance, elapsed() + outcome.wait);
    return outcome;
  });
}

async function actOnRow(unit: UnitOfWork, acts: readonly Act[], rate: Rate): Promise<Outcome[]> {
  await unit.lock("call-budget");
  let state = await readState(unit);
  const outcomes = acts.map((act) => {
    const acted = actOn(state, act, rate);
    state = acted.state;
    return acted.outcome;
  });
  if (state !== undefined) await writeState(unit, state);
  return outcomes;
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
