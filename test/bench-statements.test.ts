import { anOrder } from "@keepsats/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { runBare, startRaw } from "../bench/programs.ts";
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

describe.each(databaseKinds)(
  "the statements of the benchmark on $name",
  ({ name, newPlace, migrations }) => {
    let place: DatabasePlace;
    beforeEach(async () => {
      place = await newPlace();
      await place.migrate(migrations);
    });
    afterEach(() => place.remove());
    const count = async (table: string) => (await place.run(`SELECT 1 FROM ${table}`)).length;

    /** Expects three whole orders. */
    async function expectThree(): Promise<void> {
      for (const table of ["orders", "order_lines", "order_events", "idempotency_keys"])
        expect(await count(table), table).toBe(3);
    }

    test.skipIf(name === "SQLite").each([undefined, "inside", "batched"])(
      "postgres-orders stores whole orders (notify: %s)",
      async (notify) => {
        const settings = { url: place.url, connections: 3, notify, seconds: 0 };
        const perSecond: unknown = expect.any(Number);
        expect(await runBare("postgres-orders", settings)).toEqual({ perSecond });
        await expectThree();
      },
    );

    test("the bare process stores whole orders, at the price of the item", async () => {
      await place.run(
        "INSERT INTO items (id, name, description, price, image_url, hidden) VALUES ('moka-pot', 'Moka Pot', '', 4500, '/pot.svg', 0)",
      );
      const bare = await startRaw("bare-shop", { DATABASE_URL: place.url });
      const answers = await Promise.all(
        ["a", "b", "c"].map((key) =>
          fetch(`http://127.0.0.1:${bare.port}/api/orders`, {
            method: "POST",
            headers: { "content-type": "application/json", "idempotency-key": key },
            body: JSON.stringify(anOrder()),
          }),
        ),
      );
      expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
        answers.map(() => expect.objectContaining({ status: "Pending", total_price: 45 })),
      );
      await bare.stop();
      await expectThree();
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
      expect([await count("orders"), await count("contracts"), await count("outbox")]).toEqual([
        5, 5, 2,
      ]);
      expect(await count("items")).toBe(2);
      for (const table of ["order_words", "order_changes"])
        expect(await count(table), table).toBe(0);

      await seedNamedOrders(database, 4);
      expect([await count("orders"), await count("order_changes")]).toEqual([9, 9]);
    });
  },
);
