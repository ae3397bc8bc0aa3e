import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programs } from "../arrows.ts";
import { checkImports } from "./check-arrows.ts";

const root = join(import.meta.dirname, "..");

/** Forbidden imports: the file, what it imports, and the message of the check. */
const forbidden: readonly (readonly [string, string, string])[] = [
  // Packages import nothing of the apps and none of Node's modules.
  ["packages/domain/src/money.ts", "node:fs", "may not import node:fs"],
  ["packages/domain/src/money.ts", "@keepsats/protocol", "may not import @keepsats/protocol"],
  ["packages/domain/src/money.ts", "zod", "may not import zod"],
  ["packages/protocol/src/me.ts", "node:fs", "may not import node:fs"],
  ["packages/protocol/src/me.ts", "fastify", "may not import fastify"],
  // Programs never import one another, by name or by path.
  ["apps/server/src/app.ts", "@keepsats/storefront", "may not import @keepsats/storefront"],
  ["apps/cli/src/client.ts", "../../server/src/app.ts", "may not reach into apps/server"],
  ["apps/sandbox/src/terms.ts", "@keepsats/domain", "may not import @keepsats/domain"],
  ["apps/storefront/src/app/app.tsx", "node:fs", "may not import node:fs"],
  // Files outside all programs are reached by name only.
  ["apps/server/src/app.ts", "../../../scripts/build.ts", "may not import /scripts/build.ts"],
  [
    "apps/server/src/config/config.ts",
    "../../../../scripts/require-node.mjs",
    "config may not import /scripts",
  ],
  [
    "apps/storefront/src/lib/use-order-stream.ts",
    "../../../../test/harness/client.ts",
    "may not import /test/harness",
  ],
  // The platform imports no module, and its foundations import nothing above them.
  [
    "apps/server/src/platform/database/sqlite.ts",
    "../../modules/payments/index.ts",
    "platform/database may not import modules/payments",
  ],
  [
    "apps/server/src/platform/http/bearer.ts",
    "../../modules/orders/index.ts",
    "platform/http may not import modules/orders",
  ],
  ["apps/server/src/config/config.ts", "../platform/errors.ts", "config may not import platform"],
  // Modules depend on each other in one direction.
  [
    "apps/server/src/modules/orders/order.ts",
    "../payments/index.ts",
    "modules/orders may not import modules/payments",
  ],
  [
    "apps/server/src/modules/catalogue/item.ts",
    "../orders/index.ts",
    "modules/catalogue may not import modules/orders",
  ],
  [
    "apps/server/src/modules/payments/decide.ts",
    "../order-status/index.ts",
    "modules/payments may not import modules/order-status",
  ],
  [
    "apps/server/src/modules/payments/rules.ts",
    "./provider/index.ts",
    "modules/payments may not import modules/payments/provider",
  ],
  ["apps/server/src/modules/orders/order.ts", "../../app.ts", "may not import app.ts"],
  [
    "apps/server/src/modules/webhooks/webhook-routes.ts",
    "../email/index.ts",
    "modules/webhooks may not import modules/email",
  ],
  // A module is imported through its `index.ts`.
  [
    "apps/server/src/modules/payments/rules.ts",
    "../orders/order.ts",
    "modules/orders is imported through its index.ts only",
  ],
  [
    "apps/server/src/app.ts",
    "./modules/payments/settlement.ts",
    "modules/payments is imported through its index.ts only",
  ],
  [
    "apps/server/src/modules/email/smtp.ts",
    "../payments/journal/journal-repository.ts",
    "modules/payments is imported through its index.ts only",
  ],
  // A new folder has no row: it may neither import nor be imported.
  ["apps/server/src/modules/loyalty/points.ts", "../payments/index.ts", "has no row in arrows.ts"],
  ["apps/server/src/modules/payments/decide.ts", "../loyalty/points.ts", "has no row in arrows.ts"],
  [
    "apps/storefront/src/features/wishlist/list.ts",
    "../cart/cart-store.ts",
    "has no row in arrows.ts",
  ],
  ["apps/server/src/extra.ts", "./modules/orders/index.ts", "has no row in arrows.ts"],
  // Only what a program's package.json declares is a package; nothing gets around a relative path.
  [
    "apps/server/src/modules/orders/order.ts",
    "undeclared-package",
    "modules/orders may not import undeclared-package",
  ],
  [
    "apps/server/src/modules/orders/order.ts",
    "#payments",
    "modules/orders may not import #payments",
  ],
  [
    "apps/server/src/modules/orders/order.ts",
    "file:///payments.ts",
    "modules/orders may not import file:///payments.ts",
  ],
  // In the storefront features import neither one another nor `app`, which composes them.
  [
    "apps/storefront/src/features/cart/store.ts",
    "../checkout/draft.ts",
    "may not import features/checkout",
  ],
  ["apps/storefront/src/features/cart/store.ts", "../../app/app.tsx", "may not import app"],
  [
    "apps/storefront/src/ui/summary.tsx",
    "../features/cart/store.ts",
    "ui may not import features/cart",
  ],
  ["apps/storefront/src/ui/summary.tsx", "../lib/use-order-stream.ts", "ui may not import lib"],
  [
    "apps/storefront/src/ui/summary.tsx",
    "@keepsats/protocol",
    "ui may not import @keepsats/protocol",
  ],
  ["apps/storefront/src/lib/use-order-stream.ts", "../ui/summary.tsx", "lib may not import ui"],
];

/** Imports that must stay allowed, so that the table is not merely strict. */
const allowed: readonly (readonly [string, string])[] = [
  ["apps/server/src/main.mjs", "../../../scripts/require-node.mjs"],
  ["packages/protocol/src/me.ts", "@keepsats/domain"],
  ["apps/server/src/modules/orders/order.ts", "../../platform/database/database.ts"],
  ["apps/server/src/modules/orders/order.ts", "./order-repository.ts"],
  ["apps/server/src/modules/payments/loans/sweep.ts", "../rules.ts"],
  ["apps/server/src/modules/payments/decide.ts", "../orders/index.ts"],
  ["apps/server/src/app.ts", "./modules/orders/index.ts"],
  ["apps/server/src/modules/orders/order.test.ts", "../payments/settlement.ts"],
  ["apps/server/src/modules/orders/order.test.ts", "../../../../../test/harness/builders.ts"],
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
  return checkImports(tree, programs).forbidden.map(({ why }) => why);
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
  'import payments = require("../payments/index.ts");',
  'const payments = require("../payments/index.ts");',
  'const payments = createRequire(import.meta.url)("../payments/index.ts");',
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

/** The rows that an entry of a table lets one import. */
function rowsOf(entry: string, rows: readonly string[]): string[] {
  return rows.filter((row) => row === entry || row.startsWith(`${entry}/`));
}

test.each(Object.entries(programs))(
  "the arrows between the folders of %s form no cycle",
  (_name, { rows }) => {
    const names = Object.keys(rows);
    function visit(row: string, path: readonly string[]): void {
      expect(path).not.toContain(row);
      // The files directly in `platform` compose its folders.
      for (const entry of rows[row] ?? [])
        for (const next of rowsOf(entry, names))
          if (next !== row && !isWithin(row, entry)) visit(next, [...path, row]);
    }
    for (const row of names) visit(row, []);
  },
);

const isWithin = (inner: string, outer: string) => inner.startsWith(`${outer}/`);
