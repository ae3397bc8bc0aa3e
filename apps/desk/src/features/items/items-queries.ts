import { call, isApiError, send } from "@keepsats/client";
import {
  type ItemPatch,
  type ItemWrite,
  importAnswerSchema,
  itemEditSchema,
  itemImportSchema,
  itemWriteSchema,
  type MerchantItem,
  merchantItemSchema,
  merchantItemsSchema,
  paths,
  pictureSchema,
  withId,
} from "@keepsats/protocol";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type Sent, upload } from "../../lib/api.ts";
import type { ImportFile } from "./import-file.ts";
import { expectedOf } from "./item-form.ts";

/** The key of all changes of items that are shown before they are stored. */
export const itemChangeKey = ["change of the items"];

/** All items in the order of the shop, hidden ones too. */
export const itemsQuery = queryOptions({
  queryKey: ["items"],
  meta: { topics: ["items"], mutationKey: itemChangeKey },
  queryFn: async ({ signal }) =>
    (await call({ path: paths.merchant.items, answer: merchantItemsSchema, signal })).items,
});

/**
 * Refetches the items after a change, which counts as pending until then. While another one is
 * pending, the answer may lack that one, so the last change refetches.
 */
export async function refetchItems(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: itemChangeKey }) > 1) return;
  await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
}

type StockFilter = "low" | "none";

/** The ids of the items of which a few pieces are left, or none. */
export function idsByStockQuery(stock: StockFilter) {
  return queryOptions({
    queryKey: ["items by stock", stock],
    meta: { topics: ["items"] },
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const path = `${paths.merchant.items}?stock=${stock}`;
      const { items } = await call({ path, answer: merchantItemsSchema, signal });
      return new Set(items.map(({ id }) => id));
    },
  });
}

/** Adds an item at the end of the catalogue. An item that has the id already is not replaced. */
export function addItem(id: string, item: ItemWrite) {
  return call({
    path: withId(paths.merchant.item, id),
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: z.encode(itemWriteSchema, item),
    answer: merchantItemSchema,
  });
}

/**
 * Changes fields of an item, if they are what somebody has seen; see {@link isChangedMeanwhile}.
 *
 * @param seen the item as it was shown when the change was made
 */
export function changeItem(seen: MerchantItem, patch: ItemPatch) {
  return call({
    path: withId(paths.merchant.item, seen.id),
    method: "PATCH",
    body: z.encode(itemEditSchema, { ...patch, expected: expectedOf(patch, seen) }),
    answer: merchantItemSchema,
  });
}

/** Whether a change was refused because the item is not what was seen any more. */
export function isChangedMeanwhile(error: unknown): boolean {
  return isApiError(error) && error.problem?.code === "item_changed";
}

export function deleteItem(id: string) {
  return send({ path: withId(paths.merchant.item, id), method: "DELETE" });
}

/**
 * Stores the order of the items: an import gives the items that it mentions the order of its list.
 */
export function storeOrder(ids: readonly string[]) {
  return call({
    path: paths.merchant.import,
    method: "POST",
    body: z.encode(itemImportSchema, { items: ids.map((id) => ({ id })) }),
    answer: importAnswerSchema,
  });
}

interface ImportOptions {
  /** Nothing is changed, and the answer says what would be. */
  readonly isDryRun: boolean;
  readonly onSent: (sent: Sent) => void;
}

/** Imports a file: the shop stores all of it, or nothing. */
export function importItems({ type, content }: ImportFile, { isDryRun, onSent }: ImportOptions) {
  const path = isDryRun ? `${paths.merchant.import}?dry_run=1` : paths.merchant.import;
  return upload({ path, type, content, onSent, answer: importAnswerSchema });
}

/** Uploads a picture, which the shop turns into its sizes. */
export function uploadPicture(file: Blob) {
  return upload({
    path: paths.merchant.pictures,
    type: "application/octet-stream",
    content: file,
    answer: pictureSchema,
  });
}
