import { type Clock, elapsed } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";

/** What a call is for: what everybody waits for, a contract that pays an order, or one that may be made up. */
export type Importance = "urgent" | "bound" | "unbound";

/** How many calls must be left for one of each importance. */
const needed: Readonly<Record<Importance, number>> = { urgent: 1, bound: 2, unbound: 3 };

/** So many calls a second to unbound contracts wait for nobody: they are of shoppers who have just paid. */
const UNBOUND_SHARE = 1;

/** The longest pause that a provider is granted, in milliseconds. */
export const LONGEST_PAUSE = 120_000;
/** By how much the clocks of processes may differ, in milliseconds: what lies further ahead than that was stored before one was set back. */
const CLOCKS_DIFFER = 5_000;

/** Spaces the calls to the provider: so many a second, none while the provider has asked for a pause. */
export interface CallBudget {
  /** @returns whether a call of this importance may be made now; it counts as made */
  take(importance: Importance): Promise<boolean>;
  /** Lets no call pass for this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

/** A token bucket that holds one second's worth of calls; the last of them are for what matters most. Times in milliseconds. */
export interface BudgetState {
  readonly calls: number;
  /** What is left of the share of unbound contracts. */
  readonly share: number;
  readonly filledAt: number;
  readonly pausedUntil: number;
}

function fullBudget(callsPerSecond: number, now: number): BudgetState {
  return { calls: callsPerSecond, share: UNBOUND_SHARE, filledAt: now, pausedUntil: 0 };
}

function refilled(state: BudgetState, callsPerSecond: number, now: number): BudgetState {
  const seconds = Math.max(0, now - state.filledAt) / 1000;
  return {
    calls: Math.min(callsPerSecond, state.calls + seconds * callsPerSecond),
    share: Math.min(UNBOUND_SHARE, state.share + seconds * UNBOUND_SHARE),
    // A process whose clock is behind does not fill again what was filled already.
    filledAt: state.filledAt > now + CLOCKS_DIFFER ? now : Math.max(state.filledAt, now),
    pausedUntil: state.pausedUntil > now + LONGEST_PAUSE + CLOCKS_DIFFER ? 0 : state.pausedUntil,
  };
}

/** Takes one call, where there is one to take. @param state filled up to now */
function takeOne(state: BudgetState, importance: Importance): BudgetState | undefined {
  if (state.filledAt < state.pausedUntil) return undefined;
  const isShared = importance === "unbound" && state.share >= 1;
  if (state.calls < (isShared ? 1 : needed[importance])) return undefined;
  return { ...state, calls: state.calls - 1, share: isShared ? state.share - 1 : state.share };
}

/** Until there may be a call of this importance, in milliseconds. */
function waitFor(state: BudgetState, importance: Importance, callsPerSecond: number): number {
  const missing = Math.max(0, needed[importance] - state.calls) / callsPerSecond;
  const refill = importance === "unbound" ? Math.min(missing, 1 - state.share) : missing;
  return Math.max(refill * 1000, state.pausedUntil - state.filledAt, 0);
}

/** The budget of the only process that there is. */
export function createCallBudget(callsPerSecond: number, now: Clock): CallBudget {
  let state = fullBudget(callsPerSecond, now());
  return {
    async take(importance) {
      state = refilled(state, callsPerSecond, now());
      const taken = takeOne(state, importance);
      state = taken ?? state;
      return taken !== undefined;
    },
    async pause(milliseconds) {
      state = { ...state, pausedUntil: Math.max(state.pausedUntil, now() + milliseconds) };
    },
  };
}

/** The row that all processes share. */
const ROW = "provider";

type Act =
  | { readonly kind: "take"; readonly importance: Importance }
  | { readonly kind: "pause"; readonly milliseconds: number };

/** What came of an act: whether a call was granted, and until when there is none, in milliseconds from now. */
interface Outcome {
  readonly granted: boolean;
  readonly wait: number;
}

/**
 * One budget for all processes, in the database: however many there are, they make so many calls a second together, and
 * a pause that the provider asked one of them for is kept by all.
 *
 * @param now the clock that all of them share
 */
export function createSharedCallBudget(database: Database, callsPerSecond: number, now: Clock): CallBudget {
  const act = commitInGroups(database, (unit, acts: readonly Act[]) =>
    actOnRow(unit, acts, { callsPerSecond, now: now() }),
  );
  /** Until when it is known that there is no call of an importance; so that those who wait do not ask for each look. */
  const noneUntil = new Map<Importance, number>();
  return {
    async take(importance) {
      if (elapsed() < (noneUntil.get(importance) ?? 0)) return false;
      const { granted, wait } = await act({ kind: "take", importance });
      if (!granted) noneUntil.set(importance, elapsed() + wait);
      return granted;
    },
    async pause(milliseconds) {
      await act({ kind: "pause", milliseconds });
    },
  };
}

async function actOnRow(
  unit: UnitOfWork,
  acts: readonly Act[],
  { callsPerSecond, now }: { callsPerSecond: number; now: number },
): Promise<Outcome[]> {
  await unit.lock("call-budget");
  const stored = await readState(unit);
  let state = stored === undefined ? fullBudget(callsPerSecond, now) : refilled(stored, callsPerSecond, now);
  const outcomes = acts.map((act): Outcome => {
    if (act.kind === "pause") {
      state = { ...state, pausedUntil: Math.max(state.pausedUntil, now + act.milliseconds) };
      return { granted: false, wait: 0 };
    }
    const taken = takeOne(state, act.importance);
    state = taken ?? state;
    return { granted: taken !== undefined, wait: waitFor(state, act.importance, callsPerSecond) };
  });
  await writeState(unit, state);
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
