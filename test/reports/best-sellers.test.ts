import { describe, expect, test } from "vitest";
import { readBestSellers } from "../../apps/server/src/modules/reports/best-sellers.ts";
import { DAY, HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { plansOf } from "../harness/watched-database.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const clock = { now: () => now, timeZone: () => "UTC" };

describe.each(databaseKinds)("the best sellers on $name", (kind) => {
  const shop = useDatabase(kind);
  const sold = (id: string, quantity: number, ago: number, status = "Shipped" as const) =>
    shop.stored({
      status,
      created_at: now - ago,
      items: [{ id, name: `Old ${id}`, price: 250, quantity }],
    });

  test("are the items of paid orders in the period with the most pieces", async () => {
    await shop.database.db
      .insertInto("items")
      .values({
        id: "mug",
        position: 1,
        hidden: 0,
        name: "Mug",
        description: "",
        price: 900,
        image_url: "/m.png",
      })
      .execute();
    await sold("mug", 2, 0);
    await sold("mug", 3, 3 * DAY);
    await sold("chair", 4, 6 * DAY);
    await sold("lamp", 9, 7 * DAY);
    await shop.stored({ status: "Pending", created_at: now });
    await shop.stored({ status: "Cancelled", created_at: now });
    const mug = { id: "mug", name: "Mug", picture: "/m.png" };
    const chair = { id: "chair", name: "Old chair", picture: null, pieces: 4, revenue: 1_000 };
    expect(await readBestSellers(shop.database.db, 1, clock)).toEqual([
      { ...mug, pieces: 2, revenue: 500 },
    ]);
    expect(await readBestSellers(shop.database.db, 7, clock)).toEqual([
      { ...mug, pieces: 5, revenue: 1_250 },
      chair,
    ]);
    const month = await readBestSellers(shop.database.db, 30, clock);
    expect(month.map(({ id }) => id)).toEqual(["lamp", "mug", "chair"]);
  });

  test("are those of the days of the shop's time zone", async () => {
    // In Apia it is already the next day, for an hour.
    const clock = { now: () => now + 365 * DAY, timeZone: () => "Pacific/Apia" };
    await sold("night", 1, HOUR - 365 * DAY);
    await sold("yesterday", 1, 2 * HOUR - 365 * DAY);
    const today = await readBestSellers(shop.database.db, 1, clock);
    expect(today.map(({ id }) => id)).toEqual(["night"]);
  });

  test("are summed over several batches, at most five, without a full table scan", async () => {
    for (let n = 0; n < 1_001; n += 1) await sold(`item-${n % 7}`, 1, 20 * DAY);
    const month = await readBestSellers(shop.database.db, 30, clock);
    expect(month.map(({ pieces }) => pieces)).toEqual([143, 143, 143, 143, 143]);
    await shop.testDatabase.run("ANALYZE");
    const plans = await plansOf(kind, shop.database, (db) => readBestSellers(db, 30, clock));
    for (const plan of plans)
      expect(plan).not.toMatch(/Seq Scan on (orders|order_lines)|SCAN (orders|order_lines)/);
  });
});
