import { type Planned, planDays } from "./plan.ts";

const MOST_TRIES = 80;
const LAST_LINES = 30;

interface Options {
  readonly first: number;
  readonly last: number;
  readonly days: number;
  readonly showHistory: boolean;
  /** Whether to search for fewer actions that break the same rule. */
  readonly shrinks: boolean;
}

/**
 * Runs seeds until one breaks an invariant, and then shrinks its plan. @returns whether no
 * invariant was broken
 */
export async function runSeeds({
  first,
  last,
  days,
  showHistory,
  shrinks,
}: Options): Promise<boolean> {
  // The shop must be imported after the bug was planted.
  const { simulate } = await import("./run.ts");
  for (let seed = first; seed <= last; seed += 1) {
    const plan = planDays(seed, days);
    const { failure, lines, steps, hash } = await simulate(seed, plan);
    if (showHistory && failure === undefined) console.log(lines.join("\n"));
    if (failure === undefined) {
      console.log(`seed ${seed}: ${steps} steps, history ${hash}`);
      continue;
    }
    console.log(`seed ${seed}, step ${steps}: ${failure.rule}: ${failure.detail}`);
    if (shrinks) await explain(seed, plan, failure.rule);
    return false;
  }
  return true;
}

/** Prints the shortest plan that still breaks the same rule, and its history. */
async function explain(seed: number, plan: readonly Planned[], rule: string): Promise<void> {
  const { simulate } = await import("./run.ts");
  const { shrink } = await import("./shrink.ts");
  const breaks = async (shorter: readonly Planned[]) =>
    (await simulate(seed, shorter)).failure?.rule === rule;
  const shortest = await shrink(plan, breaks, MOST_TRIES);
  const { lines, steps } = await simulate(seed, shortest);
  console.log(
    `\nStill broken with ${shortest.length} of ${plan.length} actions, at step ${steps}:`,
  );
  for (const action of shortest) console.log(`  ${JSON.stringify(action)}`);
  console.log(`\n${lines.slice(-LAST_LINES).join("\n")}`);
}
