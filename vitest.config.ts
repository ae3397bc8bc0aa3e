import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const node = { environment: "node", restoreMocks: true } as const;
/** Settings that all tests of the built shop share. */
const whole = {
  ...node,
  globalSetup: ["test/harness/build-web.ts", "test/harness/start-postgres.ts"],
  setupFiles: ["test/harness/end-processes.ts"],
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    // One more than processors, because tests of the built shop mostly wait for it.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...node,
          name: "unit",
          include: ["{packages,apps,scripts}/**/*.test.ts", "test/loan-provider/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...whole,
          name: "integration",
          include: ["test/*.test.ts", "test/database/*.test.ts"],
          testTimeout: 180_000,
        },
      },
      {
        test: {
          ...whole,
          name: "fuzz",
          include: ["test/fuzz/*.test.ts"],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...node,
          name: "simulation",
          include: ["simulation/*.test.ts"],
          testTimeout: 600_000,
        },
      },
      {
        test: {
          ...whole,
          name: "faults",
          include: ["test/faults/*.test.ts"],
          testTimeout: 1_200_000,
        },
      },
    ],
  },
});
