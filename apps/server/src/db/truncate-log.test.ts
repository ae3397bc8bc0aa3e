import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFact } from "./facts.ts";
import { openSqlite } from "./sqlite.ts";
import { createTruncateLog } from "./truncate-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the log is emptied after another process closes its snapshot", async () => {
  const file = join(folder, "shop.db");
  const database = openSqlite(file);
  const reader = new BetterSqlite3(file, { readonly: true });
  reader.exec("BEGIN; SELECT count(*) FROM facts");
  await writeFact(database.db, "written", "since");
  const logSize = () => statSync(`${file}-wal`).size;

  const { truncateLog, stop } = createTruncateLog(database.db, 5);
  await truncateLog();
  expect(logSize()).toBeGreaterThan(0);
  reader.exec("COMMIT");
  await expect.poll(logSize).toBe(0);
  stop();
  reader.close();
  await database.close();
});
