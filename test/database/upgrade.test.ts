import { orderStatuses } from "@keepsats/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DatabasePlace, databaseKinds } from "../harness/databases.ts";
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
    expect(await place.run("SELECT DISTINCT status FROM orders")).toHaveLength(orderStatuses.length);

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
    ["leaves lines without their order", `DELETE FROM orders WHERE id = '${idOf(7)}'`, /order_lines/],
    ["fails at its last statement", "SELECT * FROM nowhere", /nowhere/],
  ])("stays as it was when a migration %s", async (_, sql, why) => {
    const before = await readWhole(kind, place);
    await expect(place.migrate(fourthWith(sql))).rejects.toThrow(why);
    expect(await readWhole(kind, place)).toEqual(before);
    await expect(place.run("UPDATE orders SET status = 'Refunded'")).rejects.toThrow(/constraint/i);
    await place.migrate(fourth);
    expect(await readWhole(kind, place)).toEqual(before);
  });
});
