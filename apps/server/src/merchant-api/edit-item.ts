import {
  itemIdSchema,
  itemPatchSchema,
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
  tag: "merchant",
  auth: "merchant",
  takes: z.object({ params, body: itemWriteSchema }),
  answers: { 200: merchantItemSchema },
} satisfies Operation;

const patchItem = {
  operationId: "patchItem",
  summary: "Change some fields of an item",
  tag: "merchant",
  auth: "merchant",
  takes: z.object({ body: itemPatchSchema, params }),
  unknown: UNKNOWN,
  answers: { 200: merchantItemSchema },
} satisfies Operation;

export function editItemRoutes(app: FastifyInstance, edit: EditCatalogue): void {
  const path = paths.merchant.item;
  route(app, { method: "PUT", path }, putItem, async ({ params, body }, reply) =>
    answer(reply, await edit.put(params.id, body)),
  );
  route(app, { method: "PATCH", path }, patchItem, async ({ params, body }, reply) =>
    answer(reply, await edit.patch(params.id, body)),
  );
}

function answer(reply: FastifyReply, edited: Edited): Item | FastifyReply {
  switch (edited.kind) {
    case "stored":
      return edited.item;
    case "invalid":
      return sendProblem(reply, "invalid", { errors: edited.errors });
    case "unknown":
      return sendProblem(reply, "not_found", { detail: UNKNOWN });
  }
}
