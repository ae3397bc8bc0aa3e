import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { planDays } from "./actors/plan.ts";
import { findBug } from "./find-bugs.ts";
import { type PlantedBug, plantedBugs } from "./planted-bugs.ts";
import { shrink } from "./seeds.ts";

const run = promisify(execFile);

/** `npm run simulate -- --planted` searches for all. */
const planted = plantedBugs.filter(({ isQuick }) => isQuick);

/**
 * Runs the command in a separate process, because it replaces the timers of its process.
 *
 * @returns its output
 */
async function simulate(...args: readonly string[]): Promise<string> {
  const main = join(import.meta.dirname, "main.ts");
  const { stdout } = await run(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", main, ...args],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}

test("the same seed gives the same history, byte by byte", async () => {
  const [one, other] = await Promise.all([simulate("--seed", "3"), simulate("--seed", "3")]);
  expect(one.split("\n").length).toBeGreaterThan(200);
  expect(other).toBe(one);
});

test("no invariant is broken by customers, provider, staff and machine", async () => {
  const output = await simulate("--seeds", "1-2");
  expect(output.match(/^seed \d+: \d+ steps, history [0-9a-f]{16}$/gm)).toHaveLength(2);
});

describe("the simulation finds the planted bug", () => {
  test.for<PlantedBug>(planted)("$name", async (bug) => {
    const { by, isFound } = await findBug(bug);
    expect(isFound, by).toBe(true);
  });
});

test("the same seed gives the same plan, and another seed another plan", () => {
  expect(planDays(7, 2)).toEqual(planDays(7, 2));
  expect(planDays(7, 2)).not.toEqual(planDays(8, 2));
});

test("a failing plan is shrunk to the actions that break the invariant", async () => {
  const list = Array.from({ length: 100 }, (_, number) => number);
  const breaks = async (shorter: readonly number[]) => shorter.includes(17) && shorter.includes(83);
  expect(await shrink(list, breaks, 1_000)).toEqual([17, 83]);
});
