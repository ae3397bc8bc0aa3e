import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { openSqlite } from "../db/sqlite.ts";
import { keepAssets } from "./kept-assets.ts";

let root: string;
let database: Database;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "keepsats-"));
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "assets", "index-abcd1234.js"), "own");
  database = openSqlite(join(root, "shop.db"));
});
afterEach(async () => {
  await database.close();
  rmSync(root, { recursive: true });
});

/**
 * Stores the assets of a build with this list. @returns which of two assets are found then, and
 * what was logged
 */
async function keepListed(list: string) {
  writeFileSync(join(root, "files.json"), list);
  const other = {
    name: "other-abcd1234.js",
    content: Buffer.from("other"),
    gzipped: 0,
    used_at: 0,
  };
  await database.db.insertInto("web_assets").values(other).execute();
  const logged: unknown[] = [];
  const kept = await keepAssets({
    db: database.db,
    root,
    now: () => 0,
    log: { warn: (...line: unknown[]) => logged.push(line) },
    onError: (error) => logged.push(error),
  });
  const found = await Promise.all([kept.find("index-abcd1234.js"), kept.find(other.name)]);
  kept.close();
  return { found: found.map((asset) => asset?.content.toString()), logged };
}

test("the assets in the build's list are stored", async () => {
  const { found, logged } = await keepListed('["robots.txt","assets/index-abcd1234.js"]');
  expect(found).toEqual(["own", "other"]);
  expect(logged).toEqual([]);
});

test.each([
  "",
  '["assets/index-abcd1234.js',
  '{"files":[]}',
  '["assets/index-abcd1234.js",3]',
  "null",
])("the invalid list %j is logged and treated as empty", async (list) => {
  const { found, logged } = await keepListed(list);
  expect(found).toEqual([undefined, "other"]);
  expect(logged).toHaveLength(1);
});
