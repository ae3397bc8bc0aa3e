import { expect, test, vi } from "vitest";
import { sqlite, useDatabase } from "../../../../../test/harness/databases.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import { createEditCatalogue } from "./edit-catalogue.ts";
import { findItem } from "./item-repository.ts";

const write = {
  name: "Mug",
  description: "Holds coffee.",
  price: 1_200,
  image_url: "/pictures/mug.svg",
};
const used = useDatabase(sqlite);

test("the folder of pictures is read outside the transaction", async () => {
  let open = 0;
  const readWhileOpen: number[] = [];
  const edit = createEditCatalogue({
    database: {
      ...used.database,
      inTransaction: (work) =>
        used.database.inTransaction(async (unit) => {
          open += 1;
          return work(unit).finally(() => {
            open -= 1;
          });
        }),
    },
    bus: createInProcessBus(),
    listPictures: async () => {
      readWhileOpen.push(open);
      return new Set(["/pictures/mug.svg"]);
    },
    listingCaughtUp: async () => {},
  });

  expect(await edit.put("mug", write)).toMatchObject({ id: "mug" });
  expect(await edit.patch("mug", { price: 1_300 })).toMatchObject({ id: "mug" });
  expect(await edit.patch("mug", { image_url: "/pictures/none.svg" })).toMatchObject({
    code: "invalid",
  });
  expect(await edit.importItems([{ id: "mug", price: 1_400 }])).toMatchObject({ kind: "imported" });
  // An import reads it for its plan, and again before its transaction.
  expect(readWhileOpen).toEqual([0, 0, 0, 0, 0]);
});

/** An editor that can run work before its next transaction, and counts the reads of items. */
function anEditor() {
  let others = async () => {};
  let reads = 0;
  const edit = createEditCatalogue({
    database: {
      ...used.database,
      async inTransaction(work) {
        const first = others;
        others = async () => {};
        await first();
        return used.database.inTransaction(async (unit) => {
          const selects = vi.spyOn(unit.db, "selectFrom");
          const result = await work(unit);
          reads += selects.mock.calls.filter(([table]) => String(table) === "items").length;
          return result;
        });
      },
    },
    bus: createInProcessBus(),
    listPictures: async () => new Set(["/pictures/mug.svg"]),
    listingCaughtUp: async () => {},
  });
  return {
    edit,
    reads: () => reads,
    beforeTransaction(work: () => Promise<unknown>) {
      others = async () => void (await work());
    },
  };
}

test("an import is planned before its transaction, which reads only the stock again", async () => {
  const { edit, reads } = anEditor();
  await edit.put("jug", write);
  const before = reads();
  expect(await edit.importItems([{ id: "jug", price: 900 }], { dryRun: true })).toMatchObject({
    kind: "imported",
    answer: { changed: 1 },
  });
  expect(reads() - before).toBe(1);
});

test("an import is planned again if the catalogue was edited after planning", async () => {
  const { edit, beforeTransaction } = anEditor();
  await edit.put("pan", write);
  beforeTransaction(() => anEditor().edit.patch("pan", { price: 4_000 }));
  expect(await edit.importItems([{ id: "pan", name: "Pan" }])).toMatchObject({ kind: "imported" });
  expect(await findItem(used.database.db, "pan")).toMatchObject({ name: "Pan", price: 4_000 });
});

test("an import is planned again if pieces were sold after planning", async () => {
  const { edit, beforeTransaction } = anEditor();
  await edit.put("lid", { ...write, stock: 5 });
  beforeTransaction(() =>
    used.database.db.updateTable("items").set({ stock: 4 }).where("id", "=", "lid").execute(),
  );
  expect(await edit.importItems([{ id: "lid", stock: 5 }])).toMatchObject({
    answer: { changes: [{ fields: [{ field: "stock", from: 4, to: 5 }] }] },
  });
  expect(await findItem(used.database.db, "lid")).toMatchObject({ stock: 5 });
});
