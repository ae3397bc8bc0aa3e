import { deliveriesSchema, deliverySchema, idempotencyHeader, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { idempotencyHeaders, type Operation, storedId } from "../../platform/http/operation.ts";
import { cursorText, pageOf } from "../../platform/http/pagination.ts";
import { get, post, route } from "../../platform/http/route.ts";
import { retryDelivery } from "../../platform/outbox/change-deliveries.ts";
import { deliveryAnswer, listFailed } from "../../platform/outbox/deliveries.ts";
import type { Platform } from "../../platform/platform.ts";
import { hiddenChannelOf } from "../staff/index.ts";

const DELIVERIES_PER_PAGE = 100;

/** A cursor is encoded as `<epoch milliseconds>_<position>`. */
const failedCursor = z.codec(
  cursorText(/^\d{1,15}_\d{1,15}$/),
  z.object({ endedAt: z.int(), position: z.int() }),
  {
    decode(text) {
      const [endedAt, position] = text.split("_").map(Number);
      return { endedAt: endedAt ?? 0, position: position ?? 0 };
    },
    encode: ({ endedAt, position }) => `${endedAt}_${position}`,
  },
);

const list = {
  operationId: "listFailedDeliveries",
  summary: "List failed emails and webhook messages, the latest first",
  description:
    "They are kept for 90 days, each with the last answer of its receiver. Only owners see the messages to webhooks.",
  permission: "deliveries:manage",
  takes: z.object({ query: z.object({ cursor: z.optional(failedCursor) }) }),
  answers: { 200: deliveriesSchema },
} satisfies Operation;

const retry = {
  operationId: "retryDelivery",
  summary: "Retry an email or a webhook message, in any state",
  description:
    "A webhook gets the message with the same `webhook-id`. Staff who are not owners get 404 for a message to a webhook.",
  permission: "deliveries:manage",
  takes: z.object({
    params: z.object({ id: storedId }),
    headers: idempotencyHeaders("Requests with the same key retry the delivery once"),
  }),
  notFoundDetail: "No delivery has this id.",
  answers: { 200: deliverySchema },
} satisfies Operation;

/** Failed deliveries of all channels, and retries. */
export function createDeliveries(platform: Platform) {
  return { adminRoutes: (app: FastifyInstance) => deliveryRoutes(app, platform) };
}

function deliveryRoutes(app: FastifyInstance, { database, outbox }: Platform): void {
  route(app, get(paths.admin.deliveries), list, async ({ query }, reply) => {
    const rows = await listFailed(database.db, {
      after: query.cursor,
      hidden: hiddenChannelOf(reply.request),
      limit: DELIVERIES_PER_PAGE + 1,
    });
    const { page, next_cursor } = pageOf(rows, DELIVERIES_PER_PAGE, ({ ended_at, position }) =>
      z.encode(failedCursor, { endedAt: ended_at ?? 0, position }),
    );
    return { deliveries: page.map(deliveryAnswer), next_cursor };
  });

  route(app, post(paths.admin.deliveryRetry), retry, async ({ params, headers }, reply) => {
    const row = await database.inTransaction(async (unit) => {
      unit.afterCommit(outbox.wake);
      return retryDelivery(unit, params.id, database.now(), {
        hidden: hiddenChannelOf(reply.request),
        key: headers[idempotencyHeader],
      });
    });
    return row && deliveryAnswer(row);
  });
}
