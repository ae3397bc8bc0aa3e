import { readFile } from "node:fs/promises";
import { itemIdSchema, itemWriteSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Database } from "../../platform/database/database.ts";
import { readValue, writeValue } from "../../platform/database/key-values.ts";
import { blankItem, patchedItem } from "./item.ts";
import { storeItems } from "./item-repository.ts";

/** The name of the flag in the key-value table. */
const LOADED = "sample-catalogue-loaded";

const sampleSchema = z.object({
  items: z.array(z.extend(itemWriteSchema, { id: itemIdSchema })),
});

/**
 * Loads the sample catalogue into the database of a new shop, once. A catalogue that was emptied
 * later stays empty.
 *
 * @returns the number of items added
 */
export async function loadSampleCatalogue(database: Database, file: string): Promise<number> {
  if ((await readValue(database.db, LOADED)) !== undefined) return 0;
  const { items: written } = sampleSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const items = written.map(({ id, ...fields }) => patchedItem(blankItem(id), fields));
  return database.inTransaction(async (unit) => {
    await unit.lock("catalogue");
    if ((await readValue(unit.db, LOADED)) !== undefined) return 0;
    await writeValue(unit.db, LOADED, "1");
    await storeItems(unit, items);
    return items.length;
  });
}
