import { parseArgs } from "node:util";
import { findAllBugs, plantBug } from "./find-bugs.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { runSeeds } from "./seeds.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1-20" },
    days: { type: "string", default: "1" },
    bug: { type: "string" },
    "no-shrink": { type: "boolean", default: false },
    planted: { type: "boolean", default: false },
  },
});

if (values.planted) process.exitCode = (await findAllBugs()) ? 0 : 1;
else {
  const bug = plantedBugs.find(({ name }) => name === values.bug);
  if (bug === undefined && values.bug !== undefined)
    throw new Error(`no planted bug has the name ${values.bug}`);
  if (bug !== undefined) plantBug(bug);
  const [first = 1, last = first] = (values.seed ?? values.seeds).split("-").map(Number);
  const isFine = await runSeeds({
    first,
    last,
    days: Number(values.days),
    showHistory: values.seed !== undefined,
    shrinks: !values["no-shrink"],
  });
  process.exitCode = isFine ? 0 : 1;
}
