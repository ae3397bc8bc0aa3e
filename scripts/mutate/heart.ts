import { globSync } from "node:fs";
import { readImports } from "./reach.ts";

/** The modules whose tests must notice small faults. */
const heart = [
  "packages/domain/src/**/*.ts",
  "apps/server/src/{payments,orders,order-stream,limits}/**/*.ts",
  "apps/server/src/db/in-groups.ts",
];

/**
 * Tests of the whole shop in one process, by the folder that they cover, because they import
 * everything.
 */
const shopTests: readonly (readonly [folder: string, test: string])[] = [
  ["apps/server/src/orders/", "test/placing-orders.test.ts"],
  ["apps/server/src/payments/", "test/paying.test.ts"],
  ["apps/server/src/order-stream/", "test/order-stream.test.ts"],
  ["apps/server/src/limits/", "test/limits.test.ts"],
];

/** The paths of the heart's modules, from the root of the repository. */
export function heartFiles(root: string): string[] {
  const files = globSync(heart, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  return files.filter((file) => !file.endsWith(".test.ts")).toSorted();
}

/**
 * Selects the test files for a module, in groups: its own, those of its folder, those of the
 * databases, and those of the whole shop. The first groups are the fastest and notice most faults.
 *
 * @param onlyUnits leaves out the integration tests
 */
export function readTests(root: string, onlyUnits: boolean): (file: string) => string[][] {
  const reach = readImports(root, [
    "{packages,apps}/*/src/**/*.ts",
    "test/{database,loan-provider,harness}/**/*.ts",
  ]);
  return (file) => {
    const reaching = [...reach(file)];
    const own = file.replace(/\.ts$/, ".test.ts");
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const near = reaching.filter((test) => test !== own && test.startsWith(folder));
    const units = [
      reaching.filter((test) => test === own),
      [...near, ...reaching.filter((test) => test.startsWith("test/loan-provider/"))],
    ];
    const integration = [
      reaching.filter((test) => test.startsWith("test/database/")),
      shopTests.filter(([prefix]) => file.startsWith(prefix)).map(([, test]) => test),
    ];
    return [...units, ...(onlyUnits ? [] : integration)].filter((tests) => tests.length > 0);
  };
}
