import { call, isApiError } from "@keepsats/client";
import {
  type AdminItem,
  adminItemSchema,
  adminItemsSchema,
  type Category,
  categoriesSchema,
  categoriesWriteSchema,
  type ItemPatch,
  type ItemWrite,
  importAnswerSchema,
  itemEditSchema,
  itemImportSchema,
  itemWriteSchema,
  paths,
  type StockFilter,
  type WrittenCategories,
  withId,
} from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { apiQuery, post, upload } from "../../lib/api.ts";
import { itemsQuery } from "../../lib/items.ts";
import type { ImportFile } from "./import/import-file.ts";
import { expectedOf } from "./item-form.ts";

/** All categories in the order of the shop. */
export const categoriesQuery = apiQuery(paths.admin.categories, categoriesSchema, ["items"]);

/** Replaces all categories, unless they differ from those expected. */
export function storeCategories(categories: WrittenCategories, expected: readonly Category[]) {
  return call({
    path: paths.admin.categories,
    method: "PUT",
    body: z.encode(categoriesWriteSchema, { categories, expected: [...expected] }),
    answer: categoriesSchema,
  });
}

/** The items that are low in stock, or sold out. */
export function itemsByStockQuery(stock: StockFilter) {
  return apiQuery(`${paths.admin.items}?stock=${stock}`, adminItemsSchema, ["items"]);
}

/** Adds an item at the end of the catalogue. Does not replace an item with the same id. */
export function addItem(id: string, item: ItemWrite) {
  return call({
    path: withId(paths.admin.item, id),
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: z.encode(itemWriteSchema, item),
    answer: adminItemSchema,
  });
}

/**
 * Changes fields of an item unless they have changed since; see {@link isItemChanged}.
 *
 * @param seen the item as it was shown
 */
export function changeItem(seen: AdminItem, patch: ItemPatch) {
  return call({
    path: withId(paths.admin.item, seen.id),
    method: "PATCH",
    body: z.encode(itemEditSchema, { ...patch, expected: expectedOf(patch, seen) }),
    answer: adminItemSchema,
  });
}

/** Changes an item as {@link changeItem} does, and shows it in the list. */
export function useChangeItem(): typeof changeItem {
  const client = useQueryClient();
  return async (seen, patch) => {
    const changed = await changeItem(seen, patch);
    client.setQueryData(itemsQuery.queryKey, (items) =>
      items?.map((item) => (item.id === changed.id ? changed : item)),
    );
    return changed;
  };
}

/** Whether a change was refused because the item has changed since it was shown. */
export function isItemChanged(error: unknown): boolean {
  return isApiError(error) && error.problem?.code === "item_changed";
}

/** Stores the positions of the items: an import sorts the items that it lists. */
export function storePositions(ids: readonly string[]) {
  const items = ids.map((id) => ({ id }));
  return post(paths.admin.import, z.encode(itemImportSchema, { items }), importAnswerSchema);
}

/** Imports a file, all or nothing. A dry run changes nothing, and answers with the changes. */
export function importItems({ type, content }: ImportFile, isDryRun: boolean) {
  const path = isDryRun ? `${paths.admin.import}?dry_run=1` : paths.admin.import;
  return upload(path, type, content, importAnswerSchema);
}
