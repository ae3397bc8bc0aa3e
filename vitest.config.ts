import { defineConfig } from "vitest/config";

const node = { environment: "node", restoreMocks: true } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: "unit",
          include: ["{packages,apps}/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...node,
          name: "integration",
          include: ["test/*.test.ts"],
          globalSetup: ["test/harness/build-web.ts", "test/harness/start-postgres.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: "fuzz",
          include: ["test/fuzz/*.test.ts"],
          globalSetup: ["test/harness/build-web.ts", "test/harness/start-postgres.ts"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: "faults",
          include: ["test/faults/*.test.ts"],
          globalSetup: ["test/harness/build-web.ts", "test/harness/start-postgres.ts"],
          testTimeout: 1_200_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
