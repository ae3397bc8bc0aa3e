import { orderPageSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { pageOf } from "../http/page.ts";
import { route } from "../http/route.ts";
import { listOrders } from "../orders/index.ts";
import { orderCursor } from "./cursors.ts";
import { DEFAULT_LIMIT, filterOf, listQuery } from "./order-query.ts";

const operation = {
  operationId: "listOrders",
  summary: "A page of orders, newest first",
  description:
    "With `updated_since` the least recently changed come first. All conditions that are given must hold.",
  tag: "merchant",
  permission: "orders:read",
  takes: z.object({ query: listQuery }),
  answers: { 200: orderPageSchema },
} satisfies Operation;

export function listOrdersRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.orders }, operation, async ({ query }) => {
    const { cursor, limit = DEFAULT_LIMIT } = query;
    const rows = await listOrders(db, filterOf(query), { cursor, limit: limit + 1 });
    const { page, next_cursor } = pageOf(rows, limit, (last) => z.encode(orderCursor, last.cursor));
    return { orders: page, next_cursor };
  });
}
