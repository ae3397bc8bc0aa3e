import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { sqlite } from "../../../../test/harness/databases.ts";
import { useDatabase } from "../../../../test/harness/use-database.ts";
import { createInProcessBus } from "../bus/in-process.ts";
import { storeItems } from "./item-repository.ts";
import { createCatalogueListing } from "./listing.ts";

const used = useDatabase(sqlite);

function add(id: string): Promise<unknown> {
  const item = { id, name: id, description: "d", price: 100, image_url: "/a.svg", hidden: false };
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

test.each(Array.from({ length: 20 }, (_, index) => index))(
  "a change that is published %i steps after the items were read is on the list",
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
    const listing = await createCatalogueListing({
      db: used.database.db.withPlugin(hearing(tellLater)),
      bus,
      headers: {},
      onError: (error) => expect.unreachable(String(error)),
      reread: 60_000,
    });
    bus.publish({ topic: "catalogue" });
    await read.promise;
    await listing.settled();
    // Three reads: at the start, after the first message, and after the second.
    expect(results).toBe(3);
    listing.close();
  },
);

test("a change is on the list when it is settled", async () => {
  const bus = createInProcessBus();
  const listing = await createCatalogueListing({
    db: used.database.db,
    bus,
    headers: {},
    onError: (error) => expect.unreachable(String(error)),
    reread: 60_000,
  });
  await add("mug");
  bus.publish({ topic: "catalogue" });
  await listing.settled();
  expect(JSON.parse(listing.current().plain.body.toString())).toMatchObject([{ id: "mug" }]);
  listing.close();
});
