import { describe, expect, test } from "vitest";
import { readContents } from "../../apps/server/src/modules/orders/lists/list-orders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { plansOf } from "../harness/watched-database.ts";

const line = (id: string, quantity = 1) => ({ id, name: id, price: 100, quantity });

describe.each(databaseKinds)("the contents of listed orders on $name", (kind) => {
  const shop = useDatabase(kind);
  const storeItem = (id: string, position: number, hidden: 0 | 1) =>
    shop.database.db
      .insertInto("items")
      .values({
        id,
        position,
        hidden,
        name: id,
        description: "",
        price: 100,
        image_url: `/${id}.png`,
      })
      .execute();

  test("are read with three queries for any number of orders, without a table scan", async () => {
    await storeItem("mug", 1, 0);
    await storeItem("chair", 2, 1);
    const ids: string[] = [];
    for (let n = 1; n <= 20; n += 1) {
      const items = [line("mug", n), line("deleted"), line("chair"), line("mug-2")];
      ids.push((await shop.stored({ items })).id);
    }
    const contents = await readContents(shop.database.db, ids);
    expect(ids.map((id) => contents.get(id))).toEqual(
      ids.map((_, n) => ({ item_count: n + 4, pictures: ["/mug.png", "/chair.png"] })),
    );
    const plans = await plansOf(kind, shop.database, (db) => readContents(db, ids));
    expect(plans).toHaveLength(3);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN \w+"/);
  });
});
