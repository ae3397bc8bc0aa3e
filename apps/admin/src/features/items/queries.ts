import { call, isApiError, send } from "@keepsats/client";
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
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type UploadProgress, upload } from "../../lib/api.ts";
import { itemChangeKey, itemsQuery } from "../../lib/items.ts";
import type { ImportFile } from "./import/import-file.ts";
import { expectedOf } from "./item-form.ts";

/**
 * Refetches the items after a change. While another change is pending the answer may lack it, so
 * only the last one refetches.
 */
export async function refetchItems(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: itemChangeKey }) > 1) return;
  await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
}

/** All categories in the order of the shop. */
export const categoriesQuery = queryOptions({
  queryKey: ["categories"],
  meta: { topics: ["items"] },
  queryFn: async ({ signal }) =>
    (await call({ path: paths.admin.categories, answer: categoriesSchema, signal })).categories,
});

/** Replaces all categories, unless they differ from those expected. */
export function storeCategories(categories: WrittenCategories, expected: readonly Category[]) {
  return call({
    path: paths.admin.categories,
    method: "PUT",
    body: z.encode(categoriesWriteSchema, { categories, expected: [...expected] }),
    answer: categoriesSchema,
  });
}

/** The ids of the items that are low in stock, or sold out. */
export function idsByStockQuery(stock: StockFilter) {
  return queryOptions({
    queryKey: ["items by stock", stock],
    meta: { topics: ["items"] },
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const path = `${paths.admin.items}?stock=${stock}`;
      const { items } = await call({ path, answer: adminItemsSchema, signal });
      return new Set(items.map(({ id }) => id));
    },
  });
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

/** Whether a change was refused because the item has changed since it was shown. */
export function isItemChanged(error: unknown): boolean {
  return isApiError(error) && error.problem?.code === "item_changed";
}

export function deleteItem(id: string) {
  return send({ path: withId(paths.admin.item, id), method: "DELETE" });
}

/** Stores the positions of the items: an import sorts the items that it lists. */
export function storePositions(ids: readonly string[]) {
  return call({
    path: paths.admin.import,
    method: "POST",
    body: z.encode(itemImportSchema, { items: ids.map((id) => ({ id })) }),
    answer: importAnswerSchema,
  });
}

interface ImportOptions {
  /** Changes nothing. The answer contains the changes that an import would make. */
  readonly isDryRun: boolean;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** Imports a file, all or nothing. */
export function importItems(
  { type, content }: ImportFile,
  { isDryRun, onProgress }: ImportOptions,
) {
  const path = isDryRun ? `${paths.admin.import}?dry_run=1` : paths.admin.import;
  return upload({ path, type, content, onProgress, answer: importAnswerSchema });
}
