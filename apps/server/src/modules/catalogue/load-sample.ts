import { readFile } from "node:fs/promises";
import { itemImportSchema } from "@keepsats/protocol";
import type { Database } from "../../platform/database/database.ts";
import { readValue } from "../../platform/database/key-values.ts";
import { addedItem } from "./item.ts";
import { storeItems } from "./item-repository.ts";

/** The name of the flag in the key-value table. */
const LOADED = "sample-catalogue-loaded";

/**
 * Loads the sample catalogue into the database of a new shop, once. A catalogue that was emptied
 * later stays empty.
 *
 * @returns the number of items added
 */
export async function loadSampleCatalogue(database: Database, file: string): Promise<number> {
  if ((await readValue(database.db, LOADED)) !== undefined) return 0;
  const { items: written } = itemImportSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const items = written.map(({ id, ...fields }) => {
    if (id === undefined) throw new Error(`${file}: ${fields.name} lacks an id`);
    const added = addedItem({ ...fields, id });
    if ("missing" in added) throw new Error(`${file}: ${id} lacks ${added.missing.join(", ")}`);
    return added.item;
  });
  return database.inTransaction(async (unit) => {
    const claimed = await unit.db
      .insertInto("key_values")
      .values({ name: LOADED, value: "1" })
      .onConflict((conflict) => conflict.doNothing())
      .returning("name")
      .executeTakeFirst();
    if (claimed === undefined) return 0;
    await storeItems(unit, items);
    return items.length;
  });
}
