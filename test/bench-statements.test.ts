import BetterSqlite3 from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { runBare } from "../bench/programs.ts";
import {
  letters,
  type Seedable,
  seedDeliveries,
  seedItems,
  seedNamedOrders,
  seedOrders,
} from "../bench/seed.ts";
import { removeSettings } from "../bench/settings.ts";
import { type DatabasePlace, databaseKinds } from "./harness/databases.ts";

afterAll(removeSettings);

describe.each(databaseKinds)("the statements of the benchmark on $name", ({ name, newPlace, migrations }) => {
  let place: DatabasePlace;
  beforeEach(async () => {
    place = await newPlace();
    await place.migrate(migrations);
  });
  afterEach(() => place.remove());
  const count = async (table: string) => (await place.run(`SELECT 1 FROM ${table}`)).length;

  const raw: { program: string; settings: object }[] =
    name === "SQLite"
      ? [{ program: "sqlite-orders", settings: { group: 3 } }]
      : [undefined, "inside", "batched"].map((notify) => ({
          program: "postgres-orders",
          settings: { connections: 3, notify },
        }));
  test.each(raw)("$program stores whole orders ($settings)", async ({ program, settings }) => {
    const database = name === "SQLite" ? { file: place.url.replace(/^file:/, "") } : { url: place.url };
    expect(await runBare(program, { ...database, ...settings, seconds: 0 })).toEqual({
      perSecond: expect.any(Number),
    });
    for (const table of ["orders", "order_lines", "order_events", "idempotency_keys"])
      expect(await count(table), table).toBe(3);
  });

  test("the seeds fill their tables", async () => {
    const database: Seedable = {
      name,
      async run(sql) {
        if (name === "PostgreSQL") return void (await place.run(sql));
        const sqlite = new BetterSqlite3(place.url.replace(/^file:/, ""));
        sqlite.exec(sql);
        sqlite.close();
      },
    };
    await seedOrders(database, { to: 2, loan: "paid" });
    await seedOrders(database, { from: 3, to: 5, loan: "underWay" });
    await seedDeliveries(database, letters, 2);
    await seedItems(database, 2);
    expect([await count("orders"), await count("contracts"), await count("outbox")]).toEqual([5, 5, 2]);
    expect(await count("items")).toBe(2);
    for (const table of ["order_words", "order_changes"]) expect(await count(table), table).toBe(0);

    await seedNamedOrders(database, 4);
    expect([await count("orders"), await count("order_changes")]).toEqual([9, 9]);
  });
});
