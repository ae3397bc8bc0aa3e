import { describe, expect, test } from "vitest";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("a transaction on $name", (kind) => {
  const shop = useDatabase(kind);

  test("that fails is rolled back, and its callbacks after the commit are not called", async () => {
    let followed = false;
    const failing = shop.within(async (unit) => {
      unit.afterCommit(() => {
        followed = true;
      });
      await unit.db.insertInto("key_values").values({ name: "a", value: "b" }).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(followed).toBe(false);
    expect(
      await shop.database.db.selectFrom("key_values").selectAll().where("name", "=", "a").execute(),
    ).toEqual([]);
  });

  test("calls its callbacks after the commit", async () => {
    const seen: unknown[] = [];
    await shop.within(async (unit) => {
      await unit.db.insertInto("key_values").values({ name: "c", value: "d" }).execute();
      unit.afterCommit(() => seen.push("followed"));
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(["followed"]);
  });

  test("that holds a lock blocks other transactions until it ends", async () => {
    const counter = { name: "counter", value: "0" };
    await shop.database.db.insertInto("key_values").values(counter).execute();
    const add = async (to: Database) =>
      to.inTransaction(async ({ db, lock }) => {
        await lock("counter");
        const { value } = await db
          .selectFrom("key_values")
          .select("value")
          .where("name", "=", "counter")
          .executeTakeFirstOrThrow();
        await db
          .updateTable("key_values")
          .set({ value: String(Number(value) + 1) })
          .where("name", "=", "counter")
          .execute();
      });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        add(index % 2 === 0 ? shop.database : shop.secondConnection),
      ),
    );
    const { value } = await shop.database.db
      .selectFrom("key_values")
      .select("value")
      .where("name", "=", "counter")
      .executeTakeFirstOrThrow();
    expect(value).toBe("20");
  });
});
