import { Readable } from "node:stream";
import { amountFromCents } from "@keepsats/domain";
import { orderPageSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import { escapeCell } from "../../platform/http/csv-injection.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { route } from "../../platform/http/route.ts";
import { type Clock, elapsed } from "../../platform/scheduling/clock.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { whileAuthorized } from "../staff/index.ts";
import { listOrders } from "./list-orders.ts";
import type { Order } from "./order.ts";
import type { Cursor, OrderFilter } from "./order-filter.ts";
import { DEFAULT_LIMIT, filterFields, filterOf, listQuery, orderCursor } from "./order-query.ts";
import { findOrders } from "./order-repository.ts";

/** How many orders an export reads at a time: few enough that other requests hardly wait. */
const MAX_ORDERS_PER_BATCH = 25;
/** The share of the time that an export takes while there are requests. */
const SHARE = 1 / 20;

const list = {
  operationId: "listOrders",
  summary: "A page of orders, newest first",
  description:
    "With `updated_since` the least recently changed orders come first. All conditions must hold.",
  tag: "admin",
  permission: "orders:read",
  takes: z.object({ query: listQuery }),
  answers: { 200: orderPageSchema },
} satisfies Operation;

const exportCsv = {
  operationId: "exportOrders",
  summary: "Export orders as CSV",
  description:
    "A table for spreadsheets, with the filters and the sorting of the list: UTF-8 with a byte order mark, commas, CRLF, and a header row (RFC 4180). Times are in UTC. An apostrophe precedes text that a spreadsheet would run as a formula (=, +, - or @ at the beginning of a cell, or after a semicolon, tab or line break in it) and text whose digits it would change, such as 01234. Each row shows its order at the time the row is read. An answer without its last chunk is incomplete.",
  tag: "admin",
  permission: "orders:read",
  takes: z.object({ query: z.object(filterFields) }),
  media: "text/csv",
  answers: { 200: z.string() },
} satisfies Operation;

export function listOrdersRoutes(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.admin.orders }, list, async ({ query }) => {
    const { cursor, limit = DEFAULT_LIMIT } = query;
    const rows = await listOrders(db, filterOf(query), { cursor, limit: limit + 1 });
    const { page, next_cursor } = pageOf(rows, limit, (last) => z.encode(orderCursor, last.cursor));
    return { orders: page, next_cursor };
  });

  // The export is read while it is sent: only a few orders are in memory.
  route(
    app,
    { method: "GET", path: paths.admin.ordersCsv },
    exportCsv,
    async ({ query }, reply) => {
      const sender = createSender();
      const parts = sender.send(
        whileAuthorized(csvOf(db, filterOf(query), sender.now), db, reply.request),
      );
      return reply
        .type("text/csv; charset=utf-8")
        .header("Content-Disposition", 'attachment; filename="orders.csv"')
        .send(Readable.from(parts, { highWaterMark: 1 }));
    },
  );
}

/** Passes parts on, with a clock that excludes backpressure. */
function createSender() {
  let waited = 0;
  async function* send(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      const sent = elapsed();
      yield part;
      waited += elapsed() - sent;
    }
  }
  return { send, now: () => elapsed() - waited };
}

async function* csvOf(db: Queries, filter: OrderFilter, now: Clock): AsyncGenerator<string> {
  // Loaded at the first export, to keep the start fast.
  const { stringify } = await import("csv-stringify/sync");
  const options = { record_delimiter: "windows" } as const;
  yield stringify([orderColumns], { ...options, bom: true });
  for await (const records of recordsOf(db, filter, now)) {
    yield stringify(records, options);
  }
}

async function* recordsOf(
  db: Queries,
  filter: OrderFilter,
  now: Clock,
): AsyncGenerator<string[][]> {
  const yieldToEventLoop = createYield({ share: SHARE, now });
  let cursor: Cursor | undefined;
  do {
    const listed = await listOrders(db, filter, { cursor, limit: MAX_ORDERS_PER_BATCH });
    if (listed.length === 0) return;
    const orders = await findOrders(
      db,
      listed.map(({ id }) => id),
    );
    yield listed.flatMap(({ id }) => {
      const order = orders.get(id);
      return order === undefined ? [] : [orderCells(order)];
    });
    await yieldToEventLoop();
    cursor = listed.length < MAX_ORDERS_PER_BATCH ? undefined : listed.at(-1)?.cursor;
  } while (cursor !== undefined);
}

const addressFields = ["street", "city", "state", "postal_code", "country"] as const;

/** Programs rely on the names of the columns. A new column is added at the end. */
const orderColumns = [
  "id",
  "status",
  "placed_at",
  "customer_name",
  "customer_email",
  "items",
  "total",
  ...addressFields.map((field) => `shipping_${field}`),
  ...addressFields.map((field) => `billing_${field}`),
  "carrier",
  "tracking_number",
  "tracking_url",
];

/** The total is in dollars, with two decimals. */
function orderCells(order: Order): string[] {
  const { shipping_address, billing_address } = order;
  const lines = order.items.map(({ quantity, name, id }) => `${quantity} × ${name} (${id})`);
  return [
    order.id,
    order.status,
    new Date(order.created_at).toISOString(),
    ...[order.customer_name, order.customer_email, lines.join("; ")].map(escapeCell),
    amountFromCents(order.total_price).toFixed(2),
    ...[shipping_address, billing_address]
      .flatMap((address) => addressFields.map((field) => address[field]))
      .map(escapeCell),
    ...[order.carrier, order.tracking_number, order.tracking_url].map((text) =>
      escapeCell(text ?? ""),
    ),
  ];
}
