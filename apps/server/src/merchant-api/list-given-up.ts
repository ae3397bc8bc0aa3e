import { deliveriesSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { pageOf } from "../http/page.ts";
import { route } from "../http/route.ts";
import { deliveryAnswer, listGivenUp } from "../outbox/deliveries.ts";
import { hiddenChannelOf } from "./actor-of.ts";
import { givenUpCursor } from "./cursors.ts";

const PAGE = 100;

const operation = {
  operationId: "listGivenUpDeliveries",
  summary: "A page of letters and webhook messages that were given up, the latest first",
  description:
    "They are kept for 90 days, each with what it was answered last. To staff only the letters are listed.",
  tag: "merchant",
  permission: "deliveries:manage",
  takes: z.object({ query: z.object({ cursor: z.optional(givenUpCursor) }) }),
  answers: { 200: deliveriesSchema },
} satisfies Operation;

export function listGivenUpRoute(app: FastifyInstance, db: Queries): void {
  route(
    app,
    { method: "GET", path: paths.merchant.deliveries },
    operation,
    async ({ query }, reply) => {
      const hidden = hiddenChannelOf(reply.request);
      const rows = await listGivenUp(db, { after: query.cursor, hidden, limit: PAGE + 1 });
      const { page, next_cursor } = pageOf(rows, PAGE, ({ ended_at, position }) =>
        z.encode(givenUpCursor, { endedAt: ended_at ?? 0, position }),
      );
      return { deliveries: page.map(deliveryAnswer), next_cursor };
    },
  );
}
