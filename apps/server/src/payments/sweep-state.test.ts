import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { writeFact } from "../db/facts.ts";
import { openSqlite } from "../db/sqlite.ts";
import { readSweepState, writeSweepState } from "./sweep-state.ts";

let folder: string;
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  database = openSqlite(join(folder, "shop.db"));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const none = { began: 0, ended: 0, failures: 0 };

test("the stored state of the sweeps is read back", async () => {
  expect(await readSweepState(database.db)).toEqual(none);
  await writeSweepState(database.db, { began: 1, ended: 2, failures: 3 });
  expect(await readSweepState(database.db)).toEqual({ began: 1, ended: 2, failures: 3 });
});

test.each(["", "{", "null", "[]", '{"began":1}', '{"began":"1","ended":2,"failures":3}'])(
  "%j in its place counts as no sweep, so that sweeps go on",
  async (text) => {
    await writeFact(database.db, "sweep", text);
    expect(await readSweepState(database.db)).toEqual(none);
  },
);
