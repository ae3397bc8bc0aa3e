import { paths } from "@keepsats/protocol";
import type { FastifyInstance, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { answerOrder, ownOrder, ownOrderParams } from "./own-order.ts";

const operation = {
  ...ownOrder,
  operationId: "showOwnOrder",
  summary: "The shopper's own order",
  description: "The order as the order stream sends it to followers with the key.",
  takes: z.object({ params: ownOrderParams }),
} satisfies Operation;

/** `GET /api/orders/:id`. @param onRequest the hooks that check the order's key */
export function showOwnOrderRoute(
  app: FastifyInstance,
  { db, onRequest }: { db: Queries; onRequest: onRequestHookHandler[] },
): void {
  route(app, { method: "GET", path: paths.order, onRequest }, operation, ({ params }, reply) =>
    answerOrder(reply, db, params.id),
  );
}
