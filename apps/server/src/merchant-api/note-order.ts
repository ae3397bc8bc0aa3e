import { noteAnswerSchema, noteRequestSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import type { NoteOrder } from "../orders/index.ts";
import { actorOf } from "./actor-of.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const operation = {
  operationId: "noteOrder",
  summary: "Add a note to an order, for the merchant only",
  tag: "merchant",
  permission: "orders:write",
  takes: z.object({ params: orderParams, body: noteRequestSchema }),
  answers: { 201: noteAnswerSchema },
} satisfies Operation;

export function noteOrderRoute(
  app: FastifyInstance,
  { db, noteOrder }: { db: Queries; noteOrder: NoteOrder },
): void {
  const place = { method: "POST", path: paths.merchant.notes } as const;
  route(app, place, operation, async ({ params, body }, reply) => {
    const id = await resolveOrder(reply, db, params.id);
    if (id === undefined) return reply;
    const outcome = await noteOrder({ orderId: id, by: actorOf(reply.request), text: body.text });
    switch (outcome.kind) {
      case "noted":
        return { id };
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
