import { describe, expect, test } from "vitest";
import { findBug, runMain } from "./find-bugs.ts";
import { type PlantedBug, plantedBugs } from "./planted-bugs.ts";

/** `npm run simulate -- --planted` searches for all. */
const planted = plantedBugs.filter(({ isQuick }) => isQuick);

test("the same seed gives the same history, byte by byte", async () => {
  const [one, other] = await Promise.all([runMain("--seed", "3"), runMain("--seed", "3")]);
  expect(one.code).toBe(0);
  expect(one.output.split("\n").length).toBeGreaterThan(200);
  expect(other).toEqual(one);
});

test("no invariant is broken by customers, provider, staff and machine", async () => {
  const { output, code } = await runMain("--seeds", "1-2");
  expect(code).toBe(0);
  expect(output.match(/^seed \d+: \d+ steps, history [0-9a-f]{16}$/gm)).toHaveLength(2);
});

describe("the simulation finds the planted bug", () => {
  test.for<PlantedBug>(planted)("$name", async (bug) => {
    const { by, isFound } = await findBug(bug);
    expect(isFound, by).toBe(true);
  });
});
