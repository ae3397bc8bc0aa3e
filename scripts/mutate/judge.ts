import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { type Mutant, mutate } from "./mutants.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How long each test of a file may take, in milliseconds, by the file's path. */
    testTimeouts: Readonly<Record<string, number>>;
  }
}

/**
 * How long a test may take beyond several times what it takes without any fault, in milliseconds.
 */
const MARGIN = 3_000;

/** Runs tests on a module with a fault that exists only in memory. */
export interface Judge {
  /**
   * Runs test files up to the first failure.
   *
   * @param mutant `undefined` runs the tests on what is stored
   * @param tests paths from the root of the repository
   * @returns the name of the failed test, or `undefined` if all passed
   */
  judge(mutant: Mutant | undefined, tests: readonly string[]): Promise<string | undefined>;
}

/** A judge that learns how long the tests of each file may take when they run without a mutant. */
interface LearningJudge extends Judge {
  readonly testTimeouts: Readonly<Record<string, number>>;
}

/**
 * @param root the folder of the repository
 * @param postgresUrl the server on which integration tests make their databases
 * @param testTimeouts those that are known already, by the path of the test file, in milliseconds
 */
export async function createJudge(
  root: string,
  postgresUrl: string,
  testTimeouts: Record<string, number>,
): Promise<LearningJudge> {
  const present: { mutant: Mutant | undefined } = { mutant: undefined };
  const plugin: Plugin = {
    name: "mutate",
    enforce: "pre",
    transform(code, id) {
      const { mutant } = present;
      return mutant !== undefined && id === join(root, mutant.file)
        ? mutate(code, mutant)
        : undefined;
    },
  };
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root,
      watch: false,
      fileParallelism: false,
      // A cached transformation of the module would not have the fault.
      fsModuleCache: false,
      bail: 1,
      reporters: [{}],
      restoreMocks: true,
      include: [
        "{packages,apps}/**/*.test.ts",
        "test/*.test.ts",
        "test/{database,loan-provider}/*.test.ts",
      ],
      setupFiles: ["scripts/mutate/setup.ts"],
      hookTimeout: 60_000,
      provide: { postgresUrl, testTimeouts },
    },
    { plugins: [plugin] },
  );
  const specifications = new Map(
    (await vitest.globTestSpecifications()).map((test) => [relative(root, test.moduleId), test]),
  );
  function learnTimeouts(): void {
    for (const module of vitest.state.getTestModules()) {
      const durations = [...module.children.allTests()].map(
        (test) => test.diagnostic()?.duration ?? 0,
      );
      testTimeouts[module.moduleId] = MARGIN + 5 * Math.max(0, ...durations);
    }
    vitest.provide("testTimeouts", testTimeouts);
  }
  return {
    testTimeouts,
    async judge(mutant, tests) {
      for (const changed of [present.mutant, mutant])
        if (changed !== undefined) vitest.invalidateFile(join(root, changed.file));
      present.mutant = mutant;
      const failure = await firstFailure(
        vitest,
        tests.map((test) => specifications.get(test)).filter((test) => test !== undefined),
      );
      if (mutant === undefined) learnTimeouts();
      return failure;
    },
  };
}

async function firstFailure(
  vitest: Vitest,
  tests: TestSpecification[],
): Promise<string | undefined> {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
  const run = new Set(tests.map(({ moduleId }) => moduleId));
  for (const module of testModules.filter(({ moduleId }) => run.has(moduleId))) {
    for (const { fullName } of module.children.allTests("failed"))
      return `${module.relativeModuleId}: ${fullName}`;
    if (!module.ok()) return `${module.relativeModuleId}: ${module.errors()[0]?.message}`;
  }
  return unhandledErrors.length === 0
    ? undefined
    : `an error outside of tests: ${unhandledErrors[0]}`;
}
