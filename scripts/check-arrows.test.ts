import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programs } from "../arrows.ts";
import { checkImports } from "./check-arrows.ts";

const root = join(import.meta.dirname, "..");

/** Forbidden imports: the file, what it imports, and the message of the check. */
const forbidden: readonly (readonly [string, string, string])[] = [
  // Only what the row allows and a program's package.json declares is a package.
  ["packages/domain/src/money.ts", "node:fs", "may not import node:fs"],
  ["packages/domain/src/money.ts", "@keepsats/protocol", "may not import @keepsats/protocol"],
  ["packages/protocol/src/me.ts", "fastify", "may not import fastify"],
  ["apps/storefront/src/app/app.tsx", "node:fs", "app may not import node:fs"],
  ["apps/storefront/src/ui/sum.tsx", "@keepsats/protocol", "ui may not import @keepsats/protocol"],
  ["apps/server/src/modules/orders/order.ts", "undeclared", "may not import undeclared"],
  ["apps/server/src/modules/orders/order.ts", "#payments", "may not import #payments"],
  ["apps/server/src/modules/orders/order.ts", "file:///payments.ts", "may not import file:///pay"],
  // Programs never import one another, by name or by path.
  ["apps/server/src/app.ts", "@keepsats/storefront", "may not import @keepsats/storefront"],
  ["apps/sandbox/src/terms.ts", "@keepsats/domain", "may not import @keepsats/domain"],
  ["apps/cli/src/client.ts", "../../server/src/app.ts", "may not reach into apps/server"],
  // Files outside all programs are reached by name only.
  ["apps/server/src/app.ts", "../../../scripts/build.ts", "may not import /scripts/build.ts"],
  ["apps/server/src/config/config.ts", "../../../../scripts/require-node.mjs", "/scripts"],
  // The platform imports no module, and modules depend on each other in one direction.
  ["apps/server/src/platform/http/bearer.ts", "../../modules/orders/index.ts", "modules/orders"],
  ["apps/server/src/config/config.ts", "../platform/errors.ts", "config may not import platform"],
  ["apps/server/src/modules/orders/order.ts", "../payments/index.ts", "import modules/payments"],
  ["apps/server/src/modules/payments/index.ts", "./provider/index.ts", "payments/provider"],
  ["apps/server/src/modules/orders/order.ts", "../../app.ts", "may not import app.ts"],
  // A module is imported through its `index.ts`.
  ["apps/server/src/modules/payments/index.ts", "../orders/order.ts", "through its index.ts only"],
  ["apps/server/src/app.ts", "./modules/payments/settlement.ts", "through its index.ts only"],
  // A new folder has no row: it may neither import nor be imported.
  ["apps/server/src/modules/loyalty/a.ts", "../payments/index.ts", "has no row in arrows.ts"],
  ["apps/server/src/modules/payments/a.ts", "../loyalty/a.ts", "has no row in arrows.ts"],
  ["apps/server/src/extra.ts", "./modules/orders/index.ts", "has no row in arrows.ts"],
  // Features of a web app import neither one another nor `app`, which composes them.
  ["apps/storefront/src/features/cart/a.ts", "../checkout/draft.ts", "import features/checkout"],
  ["apps/storefront/src/features/cart/a.ts", "../../app/app.tsx", "may not import app"],
  ["apps/storefront/src/ui/sum.tsx", "../features/cart/a.ts", "ui may not import features/cart"],
];

/** Imports that must stay allowed, so that the table is not merely strict. */
const allowed: readonly (readonly [string, string])[] = [
  ["apps/server/src/main.mjs", "../../../scripts/require-node.mjs"],
  ["apps/server/src/server.ts", "../package.json"],
  ["packages/protocol/src/me.ts", "@keepsats/domain"],
  ["apps/server/src/modules/orders/order.ts", "../../platform/database/database.ts"],
  ["apps/server/src/modules/payments/loans/sweep.ts", "../rules/index.ts"],
  ["apps/server/src/app.ts", "./modules/orders/index.ts"],
  ["apps/server/src/modules/orders/order.test.ts", "../payments/settlement.ts"],
  ["apps/storefront/src/features/cart/store.ts", "../../ui/summary.tsx"],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-arrows-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The messages of the check for a tree with `file` as its only file. */
async function check(file: string, code: string): Promise<string[]> {
  const tree = await mkdtemp(join(folder, "tree-"));
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), code);
  return checkImports(tree, programs).forbidden;
}

test("the source imports nothing that the table of arrows does not allow, and needs all of it", () => {
  expect(checkImports(root, programs)).toEqual({ forbidden: [], unused: [] });
});

test.each(forbidden)("%s may not import %s", async (file, target, why) => {
  expect(await check(file, `import "${target}";\n`)).toEqual([expect.stringContaining(why)]);
});

test.each(allowed)("%s may import %s", async (file, target) => {
  expect(await check(file, `import "${target}";\n`)).toEqual([]);
});

test.each([
  'import type { Payments } from "../payments/index.ts";',
  'export { createPayments } from "../payments/index.ts";',
  'export * from "../payments/index.ts";',
  'const payments = await import("../payments/index.ts");',
  "const payments = await import(`../payments/index.ts`);",
  'const name = "../payments/index.ts"; await import(name);',
  'await import(import.meta.resolve("../payments/index.ts"));',
  'type Payments = import("../payments/index.ts").Payments;',
  'type Payments = typeof import("../payments/index.ts");',
  'export {} from "../payments/index.ts";',
])("every form of import is found: %s", async (code) => {
  expect(await check("apps/server/src/modules/orders/order.ts", `${code}\n`)).not.toEqual([]);
});

test.each([
  "apps/server/src/modules/loyalty/points.ts",
  "apps/server/src/extra.ts",
  "apps/server/src/old.cjs",
  "apps/kiosk/src/main.ts",
])("a file without a row is found, even if it imports nothing: %s", async (file) => {
  expect(await check(file, "")).toEqual([`${file} has no row in arrows.ts`]);
});

test.each(Object.entries(programs))(
  "the folders of %s depend on each other in one direction",
  (_name, { rows }) => {
    const imports = (row: string, other: string) =>
      row !== other &&
      (rows[row] ?? []).some((entry) => entry === other || other.startsWith(`${entry}/`));
    let left = Object.keys(rows);
    for (let count = 0; count !== left.length; ) {
      count = left.length;
      const those = left;
      left = those.filter((row) => those.some((other) => imports(row, other)));
    }
    expect(left).toEqual([]);
  },
);
