import { orderStatuses } from "@keepsats/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { indexChanges, isAnyToIndex } from "../../apps/server/src/orders/order-index.ts";
import { insertOrders } from "../../apps/server/src/orders/place-order-repository.ts";
import { type DatabasePlace, databaseKinds } from "../harness/databases.ts";
import { aStoredOrder } from "../harness/orders.ts";
import { fillShopOfVersion3, idOf } from "../harness/shop-of-version-3.ts";
import { readWhole } from "../harness/whole-database.ts";

describe.each(databaseKinds)("a shop full of orders on $name", (kind) => {
  const [third, fourth] = [kind.migrations.slice(0, 3), kind.migrations.slice(0, 4)];
  let place: DatabasePlace;
  beforeEach(async () => {
    place = await kind.newPlace();
    await fillShopOfVersion3(kind, place);
  });
  afterEach(() => place.remove());
  /** Version 4 with more SQL at the end of its migration. */
  const fourthWith = (sql: string) => [
    ...third,
    ...fourth.slice(3).map((migration) => ({ ...migration, sql: `${migration.sql};\n${sql}` })),
  ];

  test("keeps every row, column, index and constraint when the CHECK of statuses is dropped", async () => {
    const refund = `UPDATE orders SET status = 'Refunded' WHERE id = '${idOf(1)}'`;
    await expect(place.run(refund)).rejects.toThrow(/constraint/i);
    const before = await readWhole(kind, place);
    for (const [table, rows] of Object.entries(before.rows)) expect(rows, table).not.toEqual([]);
    expect(await place.run("SELECT DISTINCT status FROM orders")).toHaveLength(
      orderStatuses.length,
    );

    await place.migrate(fourth);

    expect(await readWhole(kind, place)).toEqual(before);
    await place.run(refund);
    await place.checkIntegrity();
  });

  test("enforces its foreign keys after the update", async () => {
    await place.migrate(fourth);
    const nobody = idOf(1_000_000);
    for (const sql of [
      `DELETE FROM orders WHERE id = '${idOf(1)}'`,
      `INSERT INTO order_lines VALUES ('${nobody}', 9, 'mug', 'Mug', 1, 1)`,
      `INSERT INTO order_events VALUES ('${nobody}', 1, NULL, 'Pending', 'shopper', NULL, 1)`,
      `UPDATE contracts SET order_id = '${nobody}'`,
      `UPDATE payment_checks SET order_id = '${nobody}'`,
      `UPDATE orders SET id = '${nobody}' WHERE id = '${idOf(1)}'`,
    ]) {
      await expect(place.run(sql), sql).rejects.toThrow(/foreign key constraint/i);
    }
  });

  test.each([
    [
      "leaves lines without their order",
      `DELETE FROM orders WHERE id = '${idOf(7)}'`,
      /order_lines/,
    ],
    ["fails at its last statement", "SELECT * FROM nowhere", /nowhere/],
  ])("stays as it was when a migration %s", async (_, sql, why) => {
    const before = await readWhole(kind, place);
    await expect(place.migrate(fourthWith(sql))).rejects.toThrow(why);
    expect(await readWhole(kind, place)).toEqual(before);
    await expect(place.run("UPDATE orders SET status = 'Refunded'")).rejects.toThrow(/constraint/i);
    await place.migrate(fourth);
    expect(await readWhole(kind, place)).toEqual(before);
  });

  test("has its earlier orders put into the search after the update, oldest first, also by another process", async () => {
    await place.migrate(kind.migrations);
    expect(await place.run("SELECT * FROM order_changes")).toEqual([]);
    const [database, other] = [await place.open(), await place.open()];
    const newest = aStoredOrder({ created_at: 1_800_000_000_000 });
    await database.inTransaction((unit) =>
      insertOrders(unit, [{ order: newest, idempotency: undefined }]),
    );
    let isOthersTurn = false;
    while (await isAnyToIndex(database.db)) {
      const { inTransaction, now } = isOthersTurn ? other : database;
      await inTransaction((unit) => indexChanges(unit, now, 100));
      isOthersTurn = !isOthersTurn;
    }
    await Promise.all([database.close(), other.close()]);
    const byTime = await place.run("SELECT id AS order_id FROM orders ORDER BY created_at, id");
    expect(byTime).toHaveLength(601);
    expect(await place.run("SELECT order_id FROM order_index ORDER BY position")).toEqual(byTime);
    expect(await place.run("SELECT * FROM facts WHERE name = 'order-index-place'")).toEqual([]);
  });
});
