import { expect, test } from "vitest";
import { sqlite } from "../../../../test/harness/databases.ts";
import { useDatabase } from "../../../../test/harness/use-database.ts";
import { createInProcessBus } from "../bus/in-process.ts";
import { createEditCatalogue } from "./edit-catalogue.ts";

const write = { name: "Mug", description: "Holds coffee.", price: 1_200, image_url: "/pictures/mug.svg" };
const used = useDatabase(sqlite);

test("the folder of pictures is read outside of the transaction", async () => {
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
    listingSettled: async () => {},
  });

  expect(await edit.put("mug", write)).toMatchObject({ kind: "stored" });
  expect(await edit.patch("mug", { price: 1_300 })).toMatchObject({ kind: "stored" });
  expect(await edit.patch("mug", { image_url: "/pictures/none.svg" })).toMatchObject({ kind: "invalid" });
  expect(await edit.importItems([{ id: "mug", price: 1_400 }])).toMatchObject({ kind: "imported" });
  expect(readWhileOpen).toEqual([0, 0, 0, 0]);
});
