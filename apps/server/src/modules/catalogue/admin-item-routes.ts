import {
  type AdminItem,
  adminItemSchema,
  adminItemsSchema,
  itemEditSchema,
  itemIdSchema,
  itemWriteSchema,
  paths,
  type StockFilter,
  stockFilters,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { del, get, patch, put, route } from "../../platform/http/route.ts";
import type { EditCatalogue } from "./edit-catalogue.ts";
import { listItems } from "./item-repository.ts";
import { isLow } from "./stock.ts";

const UNKNOWN_ITEM = "No item has this id.";
const params = z.object({ id: itemIdSchema });

const listAllItems = {
  operationId: "listAllItems",
  summary: "List all items, including hidden ones",
  description:
    "With `stock=low`, only the items on sale that are low in stock; with `stock=none`, only the items on sale that are sold out.",
  permission: "items:read",
  takes: z.object({ query: z.object({ stock: z.optional(z.enum(stockFilters)) }) }),
  answers: { 200: adminItemsSchema },
} satisfies Operation;

const putItem = {
  operationId: "putItem",
  summary: "Add or replace an item",
  description:
    "Without `stock`, `image_urls`, `vat_rate`, `category`, `variant_of` or `variant_name`, an existing item keeps its own. With the header `If-None-Match: *`, an existing item that differs is answered with 409 name_taken.",
  permission: "items:write",
  takes: z.object({
    params,
    headers: z.object({ "if-none-match": z.optional(z.enum(["*"])) }),
    body: itemWriteSchema,
  }),
  answers: { 200: adminItemSchema },
} satisfies Operation;

const patchItem = {
  operationId: "patchItem",
  summary: "Change some fields of an item",
  description:
    "`expected` may contain fields as they were last read. If one of them has changed since, nothing is stored and the answer is 409 item_changed, unless the field already has its new value. Without `expected` the last change wins.",
  permission: "items:write",
  takes: z.object({ body: itemEditSchema, params }),
  notFoundDetail: UNKNOWN_ITEM,
  answers: { 200: adminItemSchema },
} satisfies Operation;

const deleteItem = {
  operationId: "deleteItem",
  summary: "Delete an item",
  description: "Orders of the item keep their lines.",
  permission: "items:write",
  takes: z.object({ params }),
  notFoundDetail: UNKNOWN_ITEM,
  answers: { 200: z.object({ id: itemIdSchema }) },
} satisfies Operation;

export function adminItemRoutes(app: FastifyInstance, db: Queries, edit: EditCatalogue): void {
  route(app, get(paths.admin.items), listAllItems, async ({ query }) => ({
    items: (await listItems(db)).filter((item) => isListed(query.stock, item)),
  }));
  route(app, put(paths.admin.item), putItem, ({ params, headers, body }) =>
    edit.put(params.id, body, { onlyNew: headers["if-none-match"] !== undefined }),
  );
  route(app, patch(paths.admin.item), patchItem, ({ params, body }) => edit.patch(params.id, body));
  route(app, del(paths.admin.item), deleteItem, async ({ params: { id } }) =>
    (await edit.delete(id)) ? { id } : undefined,
  );
}

/** Hidden items are never low or sold out. */
function isListed(wanted: StockFilter | undefined, { stock, hidden }: AdminItem): boolean {
  switch (wanted) {
    case undefined:
      return true;
    case "low":
      return !hidden && isLow(stock) && stock !== 0;
    case "none":
      return !hidden && stock === 0;
  }
}
