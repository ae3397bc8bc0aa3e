import { deliverySchema, idempotencyHeader, idempotencyKeySchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Database } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import { deliveryAnswer, repeatDelivery } from "../outbox/deliveries.ts";
import { hiddenChannelOf } from "./actor-of.ts";

const UNKNOWN = "No delivery has this id.";

const keySchema = idempotencyKeySchema.check(
  z.describe("Requests with the same key repeat the delivery once"),
);

const operation = {
  operationId: "repeatDelivery",
  summary: "Deliver again, whatever became of it: a message to a webhook, or a letter",
  description:
    "A webhook gets it under the same `webhook-id`. 404 for staff if it is a message to a webhook.",
  tag: "merchant",
  permission: "deliveries:manage",
  takes: z.object({
    params: z.object({ id: storedId }),
    headers: z.object({ [idempotencyHeader]: z.optional(keySchema) }),
  }),
  unknown: UNKNOWN,
  answers: { 200: deliverySchema },
} satisfies Operation;

interface Options {
  readonly database: Database;
  /** Looks for due deliveries at once. */
  readonly wakeOutbox: () => void;
}

export function repeatDeliveryRoute(app: FastifyInstance, { database, wakeOutbox }: Options): void {
  const place = { method: "POST", path: paths.merchant.deliveryRepeat } as const;
  route(app, place, operation, async ({ params, headers }, reply) => {
    const row = await database.inTransaction(async (unit) => {
      unit.afterCommit(wakeOutbox);
      return repeatDelivery(unit, params.id, database.now(), {
        hidden: hiddenChannelOf(reply.request),
        key: headers[idempotencyHeader],
      });
    });
    return row === undefined
      ? sendProblem(reply, "not_found", { detail: UNKNOWN })
      : deliveryAnswer(row);
  });
}
