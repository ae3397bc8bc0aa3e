import { expect, test } from "vitest";
import { compareTimed } from "./longest-first.ts";

const integration = (duration?: number) => ({ project: "integration", duration });
const simulation = (duration?: number) => ({ project: "simulation", duration });

test("the longest test file runs first, whatever its project", () => {
  const files = [integration(30), simulation(90), integration(70)];
  expect(files.toSorted(compareTimed)).toEqual([simulation(90), integration(70), integration(30)]);
});

test("test files of unknown duration run before all others, first those of the projects with long files", () => {
  const faults = { project: "faults", duration: undefined };
  const files = [integration(70), integration(), faults, simulation()];
  expect(files.toSorted(compareTimed)).toEqual([simulation(), faults, integration(), integration(70)]);
});
