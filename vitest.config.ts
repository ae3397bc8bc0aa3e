import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";
import { OutcomeReporter } from "./scripts/outcome/vitest-reporter.ts";
import { makeTestFolder } from "./scripts/test-folder.ts";

const node = {
  environment: "node",
  restoreMocks: true,
  // Only a failing test waits so long.
  expect: { poll: { timeout: 30_000 } },
  // A worker runs one file after another and loads what they share once: half the time of a new
  // worker for each file.
  isolate: false,
  runner: "./scripts/outcome/vitest-runner.ts",
  // Each test file, and each program that it starts, loads much the same code. This is where the
  // server keeps it compiled too.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"), TMPDIR: makeTestFolder() },
} as const;
/** Settings that all tests of the built shop share. */
const whole = {
  ...node,
  globalSetup: ["test/harness/global-setup.ts"],
  setupFiles: ["test/harness/end-processes.ts"],
  hookTimeout: 180_000,
};

/** @param testTimeout in milliseconds */
function project(name: string, include: string[], testTimeout: number, settings: object = whole) {
  return { test: { ...settings, name, include, testTimeout } };
}
const unitTests = ["{packages,apps,scripts}/**/*.test.ts", "test/payments/provider/*.test.ts"];

export default defineConfig({
  test: {
    // More than processors, because tests of the built shop mostly wait for it.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new OutcomeReporter()],
    projects: [
      project("unit", unitTests, 60_000, node),
      project("integration", ["test/!(faults|fuzz|money-model)/*.test.ts"], 180_000),
      project("store-release", ["test/releases/store-release.ts"], 180_000),
      project("fuzz", ["test/fuzz/*.test.ts"], 300_000),
      project("simulation", ["simulation/*.test.ts"], 600_000, node),
      project("faults", ["test/faults/*.test.ts"], 1_200_000),
      project("money", ["test/money-model/*.test.ts"], 1_800_000),
    ],
  },
});
