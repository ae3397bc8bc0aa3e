import { orderStatuses } from "@keepsats/domain";
import { orderPageSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { listOrders } from "../orders/index.ts";
import { orderCursor, pageOf } from "./page.ts";

const PAGE = 50;

const operation = {
  operationId: "listOrders",
  summary: "A page of orders, newest first",
  tag: "merchant",
  auth: "merchant",
  takes: z.object({
    query: z.object({ status: z.optional(z.enum(orderStatuses)), cursor: z.optional(orderCursor) }),
  }),
  answers: { 200: orderPageSchema },
} satisfies Operation;

export function listOrdersRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.orders }, operation, async ({ query }) => {
    const rows = await listOrders(db, { ...query, limit: PAGE + 1 });
    const { page, next_cursor } = pageOf(rows, PAGE, (last) => z.encode(orderCursor, last));
    return { orders: page, next_cursor };
  });
}
