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
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { sendChanged, sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import type { EditCatalogue, EditItemOutcome } from "./edit-catalogue.ts";
import type { Item } from "./item.ts";
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

interface Options {
  readonly db: Queries;
  readonly editCatalogue: EditCatalogue;
}

export function adminItemRoutes(app: FastifyInstance, { db, editCatalogue: edit }: Options): void {
  route(app, { method: "GET", path: paths.admin.items }, listAllItems, async ({ query }) => ({
    items: (await listItems(db)).filter((item) => isListed(query.stock, item)),
  }));
  const path = paths.admin.item;
  route(app, { method: "PUT", path }, putItem, async ({ params, headers, body }, reply) =>
    answer(
      reply,
      await edit.put(params.id, body, { onlyNew: headers["if-none-match"] !== undefined }),
    ),
  );
  route(app, { method: "PATCH", path }, patchItem, async ({ params, body }, reply) =>
    answer(reply, await edit.patch(params.id, body)),
  );
  route(app, { method: "DELETE", path }, deleteItem, async ({ params: { id } }, reply) =>
    (await edit.delete(id)) ? { id } : sendProblem(reply, "not_found", { detail: UNKNOWN_ITEM }),
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

function answer(reply: FastifyReply, edited: EditItemOutcome): Item | FastifyReply {
  switch (edited.kind) {
    case "stored":
      return edited.item;
    case "invalid":
      return sendProblem(reply, "invalid", { errors: edited.errors });
    case "exists":
      return sendProblem(reply, "name_taken", { detail: "An item already has this id." });
    case "conflict":
      return sendChanged(reply, "item", edited.fields);
    case "not-found":
      return sendProblem(reply, "not_found", { detail: UNKNOWN_ITEM });
  }
}
