import { shortOrderId } from "@keepsats/domain";
import {
  createOrderSchema,
  idempotencyHeader,
  idempotencyKeySchema,
  paths,
  placedOrderSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Operation } from "../http/operation.ts";
import { ownPageOnly } from "../http/own-page.ts";
import { sendProblem } from "../http/problems.ts";
import { rateLimit } from "../http/rate-limit.ts";
import { route } from "../http/route.ts";
import type { Limit } from "../limits/limit.ts";
import type { Order, OrderKeys, PlaceOrder } from "../orders/index.ts";

interface Options {
  readonly placeOrder: PlaceOrder;
  readonly keyOf: OrderKeys["keyOf"];
  readonly limit: Limit;
  /** The origin whose page may place orders. */
  readonly publicUrl: string;
}

const keySchema = idempotencyKeySchema.check(
  z.describe(
    "A request with the same key and body gets the first answer again, with Idempotent-Replayed: true",
  ),
);

const operation = {
  operationId: "placeOrder",
  summary: "Place an order",
  tag: "shop",
  takes: z.object({
    headers: z.object({ [idempotencyHeader]: z.optional(keySchema) }),
    body: createOrderSchema,
  }),
  answers: { 201: placedOrderSchema },
} satisfies Operation;

export function placeOrderRoute(app: FastifyInstance, options: Options): void {
  const { placeOrder, keyOf, limit, publicUrl } = options;
  const onRequest = [ownPageOnly(publicUrl), rateLimit(limit)];
  /** Adds the order's key, which is derived and not stored. */
  const withKey = (order: Order) => ({ ...order, key: keyOf(order.id) });
  route(
    app,
    { method: "POST", path: paths.orders, onRequest },
    operation,
    async ({ headers, body }, reply) => {
      const outcome = await placeOrder({ body, idempotencyKey: headers[idempotencyHeader] });
      reply.header("Cache-Control", "no-store");
      switch (outcome.kind) {
        case "placed":
          reply.log.info({ order: shortOrderId(outcome.order.id) }, "order placed");
          return withKey(outcome.order);
        case "replayed":
          reply.header("Idempotent-Replayed", "true");
          return withKey(outcome.order);
        case "key-reused":
          return sendProblem(reply, "idempotency_conflict", {
            detail: "This Idempotency-Key was used with another body.",
          });
        case "invalid":
          return sendProblem(reply, "invalid", { errors: outcome.errors });
      }
    },
  );
}
