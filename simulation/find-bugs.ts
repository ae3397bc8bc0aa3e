import { spawn } from "node:child_process";
import { once } from "node:events";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { type PlantedBug, plantedBugs } from "./planted-bugs.ts";

const root = join(import.meta.dirname, "..");

/**
 * Applies the edits of a bug to the shop's modules when this process loads them; the files stay
 * unchanged. Call it before the shop is imported.
 *
 * @throws if a text to replace does not occur exactly once in its file
 */
export function plantBug({ name, edits }: PlantedBug): void {
  const byUrl = Map.groupBy(edits, ({ file }) => pathToFileURL(join(root, file)).href);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = byUrl.get(url);
      if (here === undefined) return loaded;
      let source = String(loaded.source);
      for (const { file, find, replace } of here) {
        const parts = source.split(find);
        if (parts.length !== 2)
          throw new Error(`"${name}": ${parts.length - 1} places in ${file} have: ${find}`);
        source = parts.join(replace);
      }
      return { ...loaded, source };
    },
  });
}

/** A bug must be found within this number of seeds. */
const MAX_SEEDS = 80;
const CONCURRENCY = 2;

export interface Found {
  readonly bug: PlantedBug;
  /** The seed and step that found it, and the broken invariant. */
  readonly by: string;
  /** Whether it broke one of its invariants. */
  readonly isFound: boolean;
  readonly seconds: number;
}

/**
 * Searches for every planted bug, each in a separate process, and prints the results.
 *
 * @returns whether all were found
 */
export async function findAllBugs(): Promise<boolean> {
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
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return isComplete;
}

/** Runs the command in a separate process, because it replaces the timers of its process. */
export async function runMain(
  ...args: readonly string[]
): Promise<{ readonly output: string; readonly code: unknown }> {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { output, code };
}

/** Runs seeds with this bug until one finds it. */
export async function findBug(bug: PlantedBug): Promise<Found> {
  const start = performance.now();
  const { seed: first = 1 } = bug;
  const seeds = `${first}-${first + MAX_SEEDS - 1}`;
  const { output } = await runMain("--seeds", seeds, "--no-shrink", "--bug", bug.name);
  const [by = "no seed has found it", invariant = ""] =
    /^seed \d+, step \d+: ([\w-]+)/m.exec(output) ?? [];
  return {
    bug,
    by,
    isFound: bug.invariants.includes(invariant),
    seconds: (performance.now() - start) / 1000,
  };
}
