import { parseArgs } from "node:util";
import { findBug, plantBug } from "./find-bugs.ts";
import { plantedBugs } from "./planted-bugs.ts";

const { values } = parseArgs({
  options: {
    // Prints the history of one seed.
    seed: { type: "string" },
    seeds: { type: "string", default: "1-20" },
    bug: { type: "string" },
    // Searches for every planted bug.
    planted: { type: "boolean", default: false },
  },
});
/** The end of a history that is printed when an invariant is broken. */
const LAST_LINES = 60;

if (values.planted) {
  for (const bug of plantedBugs) {
    const { by, isFound } = await findBug(bug);
    console.log(`${isFound ? "found" : "NOT FOUND"}: ${bug.name}: ${by}`);
    if (!isFound) process.exitCode = 1;
  }
} else await runSeeds();

/** Runs seeds until one breaks an invariant. */
async function runSeeds(): Promise<void> {
  const bug = plantedBugs.find(({ name }) => name === values.bug);
  if (bug === undefined && values.bug !== undefined)
    throw new Error(`no planted bug has the name ${values.bug}`);
  if (bug !== undefined) plantBug(bug);
  // The shop must be imported after the bug was planted.
  const { simulate } = await import("./simulate.ts");
  const [first = 1, last = first] = (values.seed ?? values.seeds).split("-").map(Number);
  for (let seed = first; seed <= last; seed += 1) {
    const { failure, history, steps, hash } = await simulate(seed);
    if (values.seed !== undefined) console.log(history.join("\n"));
    if (failure === undefined) console.log(`seed ${seed}: ${steps} steps, history ${hash}`);
    else {
      console.log(`seed ${seed}, step ${steps}: ${failure.invariant}: ${failure.detail}`);
      console.log(history.slice(-LAST_LINES).join("\n"));
      process.exitCode = 1;
      return;
    }
  }
}
