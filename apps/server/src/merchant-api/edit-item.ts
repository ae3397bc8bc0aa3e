import {
  itemEditSchema,
  itemIdSchema,
  itemWriteSchema,
  merchantItemSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { EditCatalogue, Edited } from "../catalogue/edit-catalogue.ts";
import type { Item } from "../catalogue/item.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";

const UNKNOWN = "No item has this id.";
const params = z.object({ id: itemIdSchema });

const putItem = {
  operationId: "putItem",
  summary: "Add or replace an item",
  description:
    "Without stock or image_urls an item that exists keeps its own. With the header If-None-Match: * an item that exists is refused with 409 name_taken, unless it is the same.",
  tag: "merchant",
  permission: "items:write",
  takes: z.object({
    params,
    headers: z.object({ "if-none-match": z.optional(z.enum(["*"])) }),
    body: itemWriteSchema,
  }),
  answers: { 200: merchantItemSchema },
} satisfies Operation;

const patchItem = {
  operationId: "patchItem",
  summary: "Change some fields of an item",
  description:
    "Under expected the body may have fields as they were read. If one of them is something else now, nothing is changed, and the answer is 409 item_changed; a field that has its new value already is no reason. Without expected the last change wins.",
  tag: "merchant",
  permission: "items:write",
  takes: z.object({ body: itemEditSchema, params }),
  unknown: UNKNOWN,
  answers: { 200: merchantItemSchema },
} satisfies Operation;

const deleteItem = {
  operationId: "deleteItem",
  summary: "Delete an item; orders keep their lines of it",
  tag: "merchant",
  permission: "items:write",
  takes: z.object({ params }),
  unknown: UNKNOWN,
  answers: { 200: z.object({ id: itemIdSchema }) },
} satisfies Operation;

export function editItemRoutes(app: FastifyInstance, edit: EditCatalogue): void {
  const path = paths.merchant.item;
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
    (await edit.remove(id)) ? { id } : sendProblem(reply, "not_found", { detail: UNKNOWN }),
  );
}

function answer(reply: FastifyReply, edited: Edited): Item | FastifyReply {
  switch (edited.kind) {
    case "stored":
      return edited.item;
    case "invalid":
      return sendProblem(reply, "invalid", { errors: edited.errors });
    case "exists":
      return sendProblem(reply, "name_taken", { detail: "An item has this id already." });
    case "changed":
      return sendProblem(reply, "item_changed", {
        detail: `Changed meanwhile: ${edited.fields.join(", ")}. Nothing was stored; read the item again.`,
      });
    case "unknown":
      return sendProblem(reply, "not_found", { detail: UNKNOWN });
  }
}
