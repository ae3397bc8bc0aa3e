import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../test/harness/databases.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { Bus } from "../../platform/events/bus.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import type { Item } from "./item.ts";
import { storeItems } from "./item-repository.ts";
import { createCatalogueListing } from "./listing.ts";

const used = useDatabase(sqlite);

function add(id: string, changes: Partial<Item> = {}): Promise<unknown> {
  const item = aStoredItem({ id, name: id, ...changes });
  return used.database.inTransaction((unit) => storeItems(unit, [item]));
}

/** Called with each query result before the caller gets it. */
function hearing(onResult: () => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      onResult();
      return result;
    },
  };
}

function openListing(bus: Bus, onRead: () => void = () => {}) {
  return createCatalogueListing({
    db: used.database.db.withPlugin(hearing(onRead)),
    bus,
    headers: {},
    onError: (error) => expect.unreachable(String(error)),
    rereadInterval: 60_000,
  });
}

test.each(Array.from({ length: 20 }, (_, index) => index))(
  "a change published %i steps after the items were read is in the list",
  async (steps) => {
    const bus = createInProcessBus();
    let results = 0;
    const read = Promise.withResolvers<void>();
    const tellLater = async () => {
      results += 1;
      if (results !== 2) return;
      for (let step = 0; step < steps; step += 1) await undefined;
      bus.publish({ topic: "catalogue" });
      read.resolve();
    };
    const listing = await openListing(bus, tellLater);
    bus.publish({ topic: "catalogue" });
    await read.promise;
    await listing.caughtUp();
    // Three reads: at the start, after the first message, and after the second.
    expect(results).toBe(3);
    listing.close();
  },
);

test("a change is in the list once it has caught up", async () => {
  const bus = createInProcessBus();
  const listing = await openListing(bus);
  await add("mug");
  bus.publish({ topic: "catalogue" });
  await listing.caughtUp();
  expect(JSON.parse(listing.current().plain.body.toString())).toMatchObject([{ id: "mug" }]);
  listing.close();
});

test("an item in the list has its stock and its further pictures", async () => {
  await add("few", { stock: 2, image_urls: ["/b.svg"] });
  await add("none", { stock: 0 });
  await add("many", { stock: 11 });
  const listing = await openListing(createInProcessBus());
  const items: object[] = JSON.parse(listing.current().plain.body.toString());
  const shown = Object.fromEntries(items.map((item) => [Reflect.get(item, "id"), item]));
  expect(shown).toMatchObject({
    few: { in_stock: 2, image_urls: ["/b.svg"] },
    none: { in_stock: false },
    many: { in_stock: true },
  });
  expect(Object.keys(Object(shown.none))).toEqual([
    "id",
    "name",
    "description",
    "price",
    "image_url",
    "in_stock",
  ]);
  listing.close();
});

test("a change of the stock during the first read is in the list within a second", async () => {
  await add("scarce", { stock: 5 });
  const bus = createInProcessBus();
  let isFirst = true;
  const listing = await openListing(bus, () => {
    if (!isFirst) return;
    isFirst = false;
    // The rows were already read when this process hears of the change.
    void used.database.db
      .updateTable("items")
      .set({ stock: 1 })
      .where("id", "=", "scarce")
      .execute()
      .then(() => bus.publish({ topic: "stock" }));
  });
  const shown = () => {
    const items: { id: string; in_stock: unknown }[] = JSON.parse(
      listing.current().plain.body.toString(),
    );
    return items.find(({ id }) => id === "scarce")?.in_stock;
  };
  await waitFor("the stock", () => shown() === 1);
  listing.close();
});

test("many changes of the stock are in the list within a second, with two reads", async () => {
  await add("sold", { stock: 5 });
  const bus = createInProcessBus();
  let readings = 0;
  const listing = await openListing(bus, () => (readings += 1));
  const shown = () => {
    const items: { id: string; in_stock: unknown }[] = JSON.parse(
      listing.current().plain.body.toString(),
    );
    return items.find(({ id }) => id === "sold")?.in_stock;
  };
  const { db } = used.database;
  const begun = performance.now();
  for (const stock of [4, 3, 2, 1]) {
    await db.updateTable("items").set({ stock }).where("id", "=", "sold").execute();
    bus.publish({ topic: "stock" });
  }
  await waitFor("the stock", () => shown() === 1);
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(readings, "at the start, and for all changes together").toBe(2);
  await db.updateTable("items").set({ stock: 0 }).where("id", "=", "sold").execute();
  bus.publish({ topic: "stock" });
  bus.publish({ topic: "catalogue" });
  await listing.caughtUp();
  expect(shown(), "edits by staff are read at once").toBe(false);
  listing.close();
});
