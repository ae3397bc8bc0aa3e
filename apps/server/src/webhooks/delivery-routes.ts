import { deliveriesSchema, deliverySchema, deliveryStates, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import { deliveryAnswer, listDeliveries } from "../outbox/deliveries.ts";
import type { TestWebhook } from "./test-webhook.ts";
import { sendUnknownWebhook, UNKNOWN_WEBHOOK, webhookParams } from "./webhook-reference.ts";
import { findWebhook } from "./webhook-repository.ts";

const testWebhook = {
  operationId: "testWebhook",
  summary: "Send a webhook a test; the answer is the delivery, which waits",
  description:
    "Read the deliveries of the webhook to see what became of it. 409 if the webhook is switched off.",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({ params: webhookParams }),
  unknown: UNKNOWN_WEBHOOK,
  answers: { 200: deliverySchema },
} satisfies Operation;

const cursor = z.codec(
  z.string().check(z.regex(/^\d{1,15}$/, "is not a cursor of this list")),
  z.int(),
  {
    decode: Number,
    encode: String,
  },
);

const listDeliveriesOf = {
  operationId: "listWebhookDeliveries",
  summary: "A page of the deliveries of a webhook with what it answered, newest first",
  description:
    "They are kept for 30 days, those that were given up for 90. Of an answer the first 1,000 characters are kept.",
  tag: "merchant",
  permission: "webhooks:manage",
  takes: z.object({
    params: webhookParams,
    query: z.object({ state: z.optional(z.enum(deliveryStates)), cursor: z.optional(cursor) }),
  }),
  unknown: UNKNOWN_WEBHOOK,
  answers: { 200: deliveriesSchema },
} satisfies Operation;

const PAGE = 100;

interface Options {
  readonly db: Queries;
  readonly testWebhook: TestWebhook;
}

/** The routes that show and test what a webhook is told, in the scope of the merchant API. */
export function deliveryRoutes(app: FastifyInstance, { db, testWebhook: test }: Options): void {
  const { webhookDeliveries, webhookTest } = paths.merchant;
  route(
    app,
    { method: "GET", path: webhookDeliveries },
    listDeliveriesOf,
    async ({ params, query }, reply) => {
      if ((await findWebhook(db, params.id)) === undefined) return sendUnknownWebhook(reply);
      const { state, cursor: before } = query;
      const lane = { channel: WEBHOOK_CHANNEL, target: params.id };
      const { deliveries, next } = await listDeliveries(db, lane, { state, before, limit: PAGE });
      return {
        deliveries: deliveries.map(deliveryAnswer),
        next_cursor: next === undefined ? null : z.encode(cursor, next),
      };
    },
  );
  route(app, { method: "POST", path: webhookTest }, testWebhook, async ({ params }, reply) => {
    const tested = await test(params.id);
    switch (tested.kind) {
      case "stored":
        return deliveryAnswer(tested.delivery);
      case "off":
        return sendProblem(reply, "webhook_off");
      case "unknown":
        return sendUnknownWebhook(reply);
    }
  });
}
