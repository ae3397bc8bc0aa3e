import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createEditCatalogue } from "../../apps/server/src/modules/catalogue/edit-catalogue.ts";
import {
  findItem,
  listItems,
  storeItems,
} from "../../apps/server/src/modules/catalogue/item-repository.ts";
import { readForSale } from "../../apps/server/src/modules/catalogue/stock.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { changedSinceRead, Refusal } from "../../apps/server/src/platform/refusal.ts";
import { aStoredItem } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { doneOrWaiting, pausing } from "../harness/watched-database.ts";

describe.each(databaseKinds)("items on $name", (kind) => {
  const shop = useDatabase(kind);

  test("are listed in the order of their addition, and found by id", async () => {
    const [one, two] = [aStoredItem({ name: "One" }), aStoredItem({ name: "Two", hidden: true })];
    await shop.within((unit) => storeItems(unit, [one, two]));
    expect((await listItems(shop.database.db)).slice(-2)).toEqual([one, two]);
    expect(await findItem(shop.database.db, two.id)).toEqual(two);
    expect(await findItem(shop.database.db, "none")).toBeUndefined();
    const changed = { ...one, price: 5_000 };
    await shop.within((unit) => storeItems(unit, [changed]));
    expect((await listItems(shop.database.db)).slice(-2)).toEqual([changed, two]);
    const forSale = await readForSale(shop.database.db, [one.id, two.id, "none"]);
    expect(forSale).toEqual(new Map([[one.id, { name: "One", price: 5_000, stock: null }]]));
  });

  test("have the order of an imported file, and a failed import changes nothing", async () => {
    const { importItems } = createEditCatalogue({
      database: shop.database,
      bus: createInProcessBus(),
      listPictures: async () => new Set(["/pictures/moka-pot.svg"]),
      listingCaughtUp: async () => {},
    });
    const ids = Array.from({ length: 600 }, () => String(randomUUID()));
    const file = ids.map((id) => ({
      id,
      name: "Thing",
      description: "A thing.",
      price: 1,
      image_url: "/pictures/moka-pot.svg",
    }));
    const order = async () =>
      (await listItems(shop.database.db)).map(({ id }) => id).filter((id) => ids.includes(id));
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    await importItems(file);
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
    expect(await order()).toEqual(ids);
    await importItems(file.toReversed());
    expect(await order()).toEqual(ids.toReversed());
    expect(await importItems(file, { dryRun: true })).toMatchObject({ reordered: true });
    expect(await importItems([...file, { id: "lacks-all" }])).toMatchObject({ code: "invalid" });
    expect(await order()).toEqual(ids.toReversed());
    await shop.within(async ({ db }) => {
      for (let start = 0; start < 600; start += 200)
        await db
          .deleteFrom("items")
          .where("id", "in", ids.slice(start, start + 200))
          .execute();
    });
  });

  test("that two people change at once are changed by the one who expects the stored values", async () => {
    const aProcess = () =>
      createEditCatalogue({
        database: shop.database,
        bus: createInProcessBus(),
        listPictures: async () => new Set<string>(),
        listingCaughtUp: async () => {},
      });
    const item = aStoredItem({ price: 1_000, stock: 5 });
    await shop.within((unit) => storeItems(unit, [item]));
    const prices = [1_100, 1_200, 1_300, 1_400];
    const expected = { price: 1_000 };
    const edits = await Promise.all(
      prices.map((price) => aProcess().patch(item.id, { price, expected })),
    );
    const refused = changedSinceRead("item", ["price"]);
    expect(edits.filter((edit) => edit instanceof Refusal)).toEqual([refused, refused, refused]);
    const price = prices[edits.findIndex((edit) => !(edit instanceof Refusal))];
    expect(await findItem(shop.database.db, item.id)).toEqual({ ...item, price });

    const other = await aProcess().patch(item.id, { stock: 9, expected: { stock: 5 } });
    expect(other, "another field is not in the way").toMatchObject({ stock: 9 });
    const again = await aProcess().patch(item.id, { stock: 9, expected: { stock: 5 } });
    expect(again, "the same change, sent again").toMatchObject({ stock: 9 });
    expect(await aProcess().patch(item.id, { stock: 20 }), "without a condition").toMatchObject({
      stock: 20,
    });
    expect(await aProcess().patch(item.id, { stock: 4, expected: { stock: 9 } })).toEqual(
      changedSinceRead("item", ["stock"]),
    );
  });

  test("that are edited during an import keep the edit", async () => {
    const item = aStoredItem({ name: "Pan", price: 1_000 });
    await shop.within((unit) => storeItems(unit, [item]));
    const anEditor = (database: Database) =>
      createEditCatalogue({
        database,
        bus: createInProcessBus(),
        listPictures: async () => new Set<string>(),
        listingCaughtUp: async () => {},
      });
    let editing: Promise<unknown> | undefined;
    const database = pausing(shop.secondConnection, "items", async () => {
      editing = anEditor(shop.database).patch(item.id, { price: 4_000 });
      await doneOrWaiting(shop, editing);
    });
    const imported = await anEditor(database).importItems([{ id: item.id, name: "Wok" }]);
    expect(imported).toMatchObject({ changed: 1 });
    expect(await editing).toMatchObject({ price: 4_000 });
    expect(await findItem(shop.database.db, item.id)).toEqual({
      ...item,
      name: "Wok",
      price: 4_000,
    });
  });

  test("have their prices read, thousands at a time", async () => {
    const ids = Array.from({ length: 2_000 }, () => randomUUID());
    expect((await readForSale(shop.database.db, ids)).size).toBe(0);
  });
});
