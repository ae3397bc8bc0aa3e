import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type PlantedBug, plantedBugs } from "./planted.ts";

/** How many seeds may pass until a bug is found. */
const SEEDS = 80;
const AT_A_TIME = 2;

/** The result of the search for a planted bug. */
export interface Found {
  readonly bug: PlantedBug;
  /** The seed and step that found it, and the broken rule. */
  readonly by: string;
  /** Whether it was found, by a rule that it is known to break. */
  readonly isFound: boolean;
  readonly seconds: number;
}

/**
 * Searches for every planted bug, each in a process of its own, and prints the results.
 *
 * @returns whether all were found
 */
export async function findPlanted(): Promise<boolean> {
  let isComplete = true;
  const queue = [...plantedBugs];
  async function work(): Promise<void> {
    for (let bug = queue.shift(); bug !== undefined; bug = queue.shift()) {
      const { by, isFound, seconds } = await findBug(bug);
      console.log(
        `${isFound ? "found" : "NOT FOUND"}: ${bug.name}: ${by} (${seconds.toFixed(1)} s)`,
      );
      isComplete &&= isFound;
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return isComplete;
}

/** Runs seeds on a shop with this bug until one finds it. */
export async function findBug(bug: PlantedBug): Promise<Found> {
  const begun = performance.now();
  const main = join(import.meta.dirname, "main.ts");
  const { seed: first = 1 } = bug;
  const seeds = `${first}-${first + SEEDS - 1}`;
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      main,
      "--seeds",
      seeds,
      "--no-shrink",
      "--bug",
      bug.name,
    ],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const output = await text(child.stdout);
  const [by = "no seed has found it", rule = ""] =
    /^seed \d+, step \d+: ([\w-]+)/m.exec(output) ?? [];
  return {
    bug,
    by,
    isFound: bug.rules.includes(rule),
    seconds: (performance.now() - begun) / 1000,
  };
}
