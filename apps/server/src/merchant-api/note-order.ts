import {
  idempotencyHeader,
  idempotencyKeySchema,
  noteAnswerSchema,
  noteRequestSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { NoteOrder } from "../orders/index.ts";
import { actorOf } from "./actor-of.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const keySchema = idempotencyKeySchema.check(
  z.describe("Requests with the same key and text store the note once"),
);

const operation = {
  operationId: "noteOrder",
  summary: "Add a note to an order, for the merchant only",
  tag: "merchant",
  permission: "orders:write",
  takes: z.object({
    params: orderParams,
    headers: z.object({ [idempotencyHeader]: z.optional(keySchema) }),
    body: noteRequestSchema,
  }),
  answers: { 201: noteAnswerSchema },
} satisfies Operation;

export function noteOrderRoute(
  app: FastifyInstance,
  { db, noteOrder }: { db: Queries; noteOrder: NoteOrder },
): void {
  const place = { method: "POST", path: paths.merchant.notes } as const;
  route(app, place, operation, async ({ params, headers, body }, reply) => {
    const id = await resolveOrder(reply, db, params.id);
    if (id === undefined) return reply;
    const { [idempotencyHeader]: idempotencyKey } = headers;
    const by = actorOf(reply.request);
    const outcome = await noteOrder({ orderId: id, by, text: body.text, idempotencyKey });
    switch (outcome.kind) {
      case "repeated":
        reply.header("Idempotent-Replayed", "true");
        return { id };
      case "noted":
        return { id };
      case "key-reused":
        return sendProblem(reply, "idempotency_conflict", {
          detail: "This Idempotency-Key was used for a different note on this order.",
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
