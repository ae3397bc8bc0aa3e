import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programs } from "../arrows.ts";
import { findForbiddenImports } from "./check-arrows.ts";

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
  ["apps/server/src/app.ts", "@keepsats/web", "may not import @keepsats/web"],
  [
    "apps/merchant/src/client.ts",
    "../../server/src/db/sqlite.ts",
    "may not reach into apps/server",
  ],
  ["apps/sandbox/src/terms.ts", "@keepsats/domain", "may not import @keepsats/domain"],
  ["apps/web/src/app/app.tsx", "node:fs", "may not import node:fs"],
  // Files outside of all programs are reached by name only.
  ["apps/server/src/app.ts", "../../../scripts/build.ts", "may not import /scripts/build.ts"],
  [
    "apps/server/src/db/sqlite.ts",
    "../../../../scripts/require-node.mjs",
    "db may not import /scripts",
  ],
  [
    "apps/web/src/lib/use-order-stream.ts",
    "../../../../test/harness/client.ts",
    "may not import /test/harness",
  ],
  // The ground imports neither core nor edges.
  ["apps/server/src/db/sqlite.ts", "../payments/index.ts", "db may not import payments"],
  ["apps/server/src/db/sqlite.ts", "../http/problems.ts", "db may not import http"],
  ["apps/server/src/bus/bus.ts", "../limits/limit.ts", "bus may not import limits"],
  ["apps/server/src/http/bearer.ts", "../orders/index.ts", "http may not import orders"],
  // Imports inside the core have one direction; the core imports no edges.
  ["apps/server/src/orders/order.ts", "../payments/index.ts", "orders may not import payments"],
  ["apps/server/src/catalogue/item.ts", "../orders/index.ts", "catalogue may not import orders"],
  [
    "apps/server/src/payments/decide.ts",
    "../order-stream/frame.ts",
    "payments may not import order-stream",
  ],
  ["apps/server/src/orders/order.ts", "../app.ts", "orders may not import ."],
  // Edges never import one another, and of the core only its index files.
  [
    "apps/server/src/shop-api/me-routes.ts",
    "../merchant-api/routes.ts",
    "may not import merchant-api",
  ],
  [
    "apps/server/src/telemetry/provider.ts",
    "../orders/index.ts",
    "telemetry may not import orders",
  ],
  [
    "apps/server/src/merchant-api/routes.ts",
    "../orders/order.ts",
    "is imported through index.ts only",
  ],
  ["apps/server/src/app.ts", "./payments/settlement.ts", "is imported through index.ts only"],
  // A new folder has no row: it may neither import nor be imported.
  ["apps/server/src/loyalty/points.ts", "../payments/index.ts", "has no row in arrows.ts"],
  ["apps/server/src/payments/decide.ts", "../loyalty/points.ts", "has no row in arrows.ts"],
  [
    "apps/web/src/features/wishlist/list.ts",
    "../basket/basket-store.ts",
    "has no row in arrows.ts",
  ],
  ["apps/server/src/extra.ts", "./orders/index.ts", "has no row in arrows.ts"],
  // Only what a program's package.json declares is a package; nothing gets around a relative path.
  [
    "apps/server/src/orders/order.ts",
    "undeclared-package",
    "orders may not import undeclared-package",
  ],
  ["apps/server/src/orders/order.ts", "#payments", "orders may not import #payments"],
  [
    "apps/server/src/orders/order.ts",
    "file:///payments.ts",
    "orders may not import file:///payments.ts",
  ],
  // In the web app features import neither one another nor `app`, which composes them.
  [
    "apps/web/src/features/basket/store.ts",
    "../checkout/draft.ts",
    "may not import features/checkout",
  ],
  ["apps/web/src/features/basket/store.ts", "../../app/app.tsx", "may not import app"],
  [
    "apps/web/src/ui/summary.tsx",
    "../features/basket/store.ts",
    "ui may not import features/basket",
  ],
  ["apps/web/src/ui/summary.tsx", "../lib/use-order-stream.ts", "ui may not import lib"],
  ["apps/web/src/ui/summary.tsx", "@keepsats/protocol", "ui may not import @keepsats/protocol"],
  ["apps/web/src/lib/use-order-stream.ts", "../ui/summary.tsx", "lib may not import ui"],
];

/** Imports that must stay allowed, so that the table is not merely strict. */
const allowed: readonly (readonly [string, string])[] = [
  ["apps/server/src/main.mjs", "../../../scripts/require-node.mjs"],
  ["packages/protocol/src/me.ts", "@keepsats/domain"],
  ["apps/server/src/orders/order.ts", "../db/database.ts"],
  ["apps/server/src/orders/order.ts", "./order-repository.ts"],
  ["apps/server/src/payments/decide.ts", "../orders/index.ts"],
  ["apps/server/src/merchant-api/routes.ts", "../orders/index.ts"],
  ["apps/server/src/orders/order.test.ts", "../payments/settlement.ts"],
  ["apps/server/src/orders/order.test.ts", "../../../../test/harness/builders.ts"],
  ["apps/web/src/features/basket/store.ts", "../../ui/summary.tsx"],
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
  return findForbiddenImports(tree, programs).map(({ why }) => why);
}

test("the source imports nothing that the table of arrows does not allow", () => {
  expect(findForbiddenImports(root, programs)).toEqual([]);
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
  expect(await check("apps/server/src/orders/order.ts", `${code}\n`)).not.toEqual([]);
});

test.each([
  "apps/server/src/loyalty/points.ts",
  "apps/server/src/extra.ts",
  "apps/server/src/orders/legacy/old.cjs",
  "apps/kiosk/src/main.ts",
])("a file without a row is found, even if it imports nothing: %s", async (file) => {
  expect(await check(file, "")).toEqual([`${file} has no row in arrows.ts`]);
});

/** Whether `inner` is a folder inside `outer`; such folders may import each other. */
const isWithin = (inner: string, outer: string) => outer === "." || inner.startsWith(`${outer}/`);

test.each(Object.entries(programs))(
  "the arrows between the folders of %s form no cycle",
  (_name, { rows }) => {
    function follow(row: string, path: readonly string[]): void {
      expect(path).not.toContain(row);
      for (const next of rows[row] ?? []) if (!isWithin(row, next)) follow(next, [...path, row]);
    }
    for (const row of Object.keys(rows)) follow(row, []);
  },
);
