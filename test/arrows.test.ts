import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Imports that would break the structure, and the files that they must not stand in. */
const forbidden: readonly (readonly [string, string])[] = [
  ["packages/domain/src/money.ts", "node:fs"],
  ["packages/domain/src/money.ts", "@keepsats/protocol"],
  ["packages/domain/src/money.ts", "zod"],
  ["packages/protocol/src/me.ts", "@keepsats/server"],
  ["packages/protocol/src/me.ts", "node:fs"],
  ["apps/server/src/orders/order.ts", "../payments/mismatch.ts"],
  ["apps/server/src/payments/mismatch.ts", "../orders/order.ts"],
  ["apps/server/src/merchant/routes.ts", "../catalogue/listing.ts"],
  ["apps/server/src/orders/order.ts", "../app.ts"],
  ["apps/server/src/http/bearer.ts", "../orders/order.ts"],
  ["apps/server/src/db/sqlite.ts", "../payments/mismatch.ts"],
  ["apps/server/src/bus/bus.ts", "../order-stream/channel.ts"],
  ["apps/server/src/app.ts", "@keepsats/web"],
  ["apps/web/src/features/basket/basket-store.ts", "../checkout/draft.ts"],
  ["apps/web/src/features/basket/basket-store.ts", "../../app/app.tsx"],
  ["apps/web/src/ui/classes.ts", "../features/basket/basket-store.ts"],
  ["apps/web/src/ui/classes.ts", "../lib/api.ts"],
  ["apps/web/src/ui/classes.ts", "@keepsats/protocol"],
  ["apps/web/src/lib/api.ts", "../ui/classes.ts"],
  ["apps/web/src/app/app.tsx", "node:fs"],
  ["apps/web/src/app/app.tsx", "@keepsats/server"],
  ["apps/sandbox/src/terms.ts", "@keepsats/domain"],
  ["apps/merchant/src/client.ts", "better-sqlite3"],
  ["apps/merchant/src/client.ts", "../../server/src/db/sqlite.ts"],
];

/** And some that must stay allowed, so that the rules are not merely strict. */
const allowed: readonly (readonly [string, string])[] = [
  ["packages/protocol/src/me.ts", "@keepsats/domain"],
  ["apps/server/src/orders/order.ts", "../db/database.ts"],
  ["apps/server/src/app.ts", "./orders/order.ts"],
  ["apps/web/src/features/basket/basket-store.ts", "../../ui/classes.ts"],
  ["apps/merchant/src/client.ts", "@keepsats/protocol"],
];

const root = join(import.meta.dirname, "..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  const config: { vcs: object } = JSON.parse(await readFile(join(root, "biome.json"), "utf8"));
  config.vcs = { enabled: false };
  await writeFile(join(folder, "biome.json"), JSON.stringify(config));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(file: string, content: string): Promise<string> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", file], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

test.each(forbidden)("%s may not import %s", async (file, target) => {
  expect(await lint(file, `import "${target}";\n`)).toContain("noRestrictedImports");
});

test.each(allowed)("%s may import %s", async (file, target) => {
  expect(await lint(file, `import "${target}";\n`)).not.toContain("noRestrictedImports");
});

test("a cycle fails, even one of types alone", async () => {
  await lint("packages/domain/src/one.ts", 'import type { Two } from "./two.ts";\nexport type One = Two;\n');
  const output = await lint(
    "packages/domain/src/two.ts",
    'import type { One } from "./one.ts";\nexport type Two = One | 1;\n',
  );
  expect(output).toContain("noImportCycles");
});
