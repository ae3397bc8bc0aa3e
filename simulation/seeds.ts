import type { PlannedAction } from "./actors/actions.ts";
import { planDays } from "./actors/plan.ts";

const MAX_TRIES = 80;
const LAST_LINES = 30;

interface Options {
  readonly first: number;
  readonly last: number;
  readonly days: number;
  readonly showHistory: boolean;
  /** Whether to search for fewer actions that break the same invariant. */
  readonly shrinks: boolean;
}

/**
 * Runs seeds until one breaks an invariant, and then shrinks its plan.
 *
 * @returns whether no invariant was broken
 */
export async function runSeeds({
  first,
  last,
  days,
  showHistory,
  shrinks,
}: Options): Promise<boolean> {
  // The shop must be imported after the bug was planted.
  const { simulate } = await import("./simulate.ts");
  for (let seed = first; seed <= last; seed += 1) {
    const plan = planDays(seed, days);
    const { failure, history, steps, hash } = await simulate(seed, plan);
    if (showHistory && failure === undefined) console.log(history.join("\n"));
    if (failure === undefined) {
      console.log(`seed ${seed}: ${steps} steps, history ${hash}`);
      continue;
    }
    console.log(`seed ${seed}, step ${steps}: ${failure.invariant}: ${failure.detail}`);
    if (shrinks) await explain(seed, plan, failure.invariant);
    return false;
  }
  return true;
}

/** Prints the shortest plan that still breaks the same invariant, and its history. */
async function explain(
  seed: number,
  plan: readonly PlannedAction[],
  invariant: string,
): Promise<void> {
  const { simulate } = await import("./simulate.ts");
  const breaks = async (shorter: readonly PlannedAction[]) =>
    (await simulate(seed, shorter)).failure?.invariant === invariant;
  const shortest = await shrink(plan, breaks, MAX_TRIES);
  const { history, steps } = await simulate(seed, shortest);
  console.log(
    `\nStill broken with ${shortest.length} of ${plan.length} actions, at step ${steps}:`,
  );
  for (const action of shortest) console.log(`  ${JSON.stringify(action)}`);
  console.log(`\n${history.slice(-LAST_LINES).join("\n")}`);
}

/**
 * Shrinks a list while a condition holds: removes halves, then smaller and smaller parts. Tries at
 * most `maxTries` lists.
 */
export async function shrink<T>(
  list: readonly T[],
  stillHolds: (shorter: readonly T[]) => Promise<boolean>,
  maxTries: number,
): Promise<readonly T[]> {
  let kept = list;
  let tries = 0;
  for (
    let length = Math.ceil(list.length / 2);
    length >= 1;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let start = kept.length - length; start > -length && tries < maxTries; start -= length) {
      const without = [...kept.slice(0, Math.max(0, start)), ...kept.slice(start + length)];
      if (without.length === kept.length) continue;
      tries += 1;
      if (await stillHolds(without)) kept = without;
    }
  }
  return kept;
}
