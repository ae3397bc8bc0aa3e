import { expect, test } from "vitest";
import { compareTimed } from "./longest-first.ts";

const integration = (duration?: number) => ({
  path: "/test/orders/order-key.test.ts",
  failed: false,
  duration,
});
const simulation = (duration?: number) => ({
  path: "/simulation/simulation.test.ts",
  failed: false,
  duration,
});

test("the longest test file runs first, whatever its project", () => {
  const files = [integration(30), simulation(90), integration(70)];
  expect(files.toSorted(compareTimed)).toEqual([simulation(90), integration(70), integration(30)]);
});

test("test files of unknown duration run before all others, first those that are known to be long", () => {
  const faults = { path: "/test/faults/kills.test.ts", failed: false, duration: undefined };
  const files = [integration(70), integration(), faults, simulation()];
  expect(files.toSorted(compareTimed)).toEqual([
    simulation(),
    faults,
    integration(),
    integration(70),
  ]);
});

test("test files that failed run before all others, the longest of them first", () => {
  const brief = { ...integration(10), failed: true };
  const long = { ...integration(50), failed: true };
  const files = [simulation(90), simulation(), brief, long];
  expect(files.toSorted(compareTimed)).toEqual([long, brief, simulation(), simulation(90)]);
});
