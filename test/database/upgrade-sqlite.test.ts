import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DatabasePlace, databaseKinds } from "../harness/databases.ts";
import { fillShopOfVersion3, idOf } from "../harness/shop-of-version-3.ts";
import { readWhole } from "../harness/whole-database.ts";

const dieInMigration = fileURLToPath(new URL("../harness/die-in-migration.ts", import.meta.url));

describe.each(databaseKinds.filter(({ name }) => name === "SQLite"))(
  "a full SQLite file",
  (kind) => {
    const fourth = kind.migrations.slice(0, 4);
    let place: DatabasePlace;
    let file: string;
    beforeEach(async () => {
      place = await kind.newPlace();
      file = place.url.slice("file:".length);
      await fillShopOfVersion3(kind, place);
    });
    afterEach(() => place.remove());

    test("is unchanged if the process is killed during the rebuild of a table", async () => {
      const before = await readWhole(kind, place);
      const statements = kind.migrations[3]?.sql.match(/;\n/g)?.length ?? 0;
      expect(statements).toBeGreaterThan(5);
      for (let done = 0; done <= statements; done += 1) {
        const { signal, stderr } = spawnSync(process.execPath, [
          dieInMigration,
          file,
          "4",
          String(done),
        ]);
        expect(signal, String(stderr)).toBe("SIGKILL");
        expect(await readWhole(kind, place), `killed after ${done} statements`).toEqual(before);
        await place.checkIntegrity();
      }
      await place.migrate(fourth);
      expect(await readWhole(kind, place)).toEqual(before);
    });

    test("is updated even if an order was deleted manually with foreign keys off", async () => {
      const byHand = new BetterSqlite3(file);
      byHand.exec(`PRAGMA foreign_keys = OFF; DELETE FROM orders WHERE id = '${idOf(8)}'`);
      byHand.close();
      await place.migrate(fourth);
      expect(
        await place.run(`SELECT * FROM order_lines WHERE order_id = '${idOf(8)}'`),
      ).toHaveLength(3);
    });

    test("is opened with foreign keys enforced, with and without an update", async () => {
      for (const when of ["updated", "opened again"]) {
        const database = await place.open();
        const order = database.db.deleteFrom("orders").where("id", "=", idOf(1)).execute();
        await expect(order, when).rejects.toThrow(/foreign key constraint/i);
        await database.close();
      }
    });
  },
);
