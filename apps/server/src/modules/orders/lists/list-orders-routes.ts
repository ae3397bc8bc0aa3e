import { amountFromCents, piecesText } from "@keepsats/domain";
import { orderPageSchema, packingOrderPageSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import { escapeCell } from "../../../platform/http/csv-injection.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { pageOf } from "../../../platform/http/pagination.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { sendCsv } from "../../staff/index.ts";
import type { Order } from "../order.ts";
import { findOrders } from "../order-repository.ts";
import { listOrders, readContents } from "./list-orders.ts";
import type { ListedOrder, OrderFilter } from "./order-filter.ts";
import {
  DEFAULT_LIMIT,
  exportParameters,
  filterOf,
  type ListQuery,
  listParameters,
  orderCursor,
  packingParameters,
} from "./order-parameters.ts";
import { withoutWords } from "./search-words.ts";

/** How many orders an export reads at a time: few enough that other requests hardly wait. */
const ORDERS_PER_EXPORT_BATCH = 25;

const list = {
  operationId: "listOrders",
  summary: "List orders, newest first by default",
  description:
    "With `updated_since` the least recently changed orders come first. All conditions must hold.",
  permission: "orders:read",
  takes: z.object({ query: listParameters }),
  answers: { 200: orderPageSchema },
} satisfies Operation;

/** As packers see orders. The schema leaves out all fields that it does not name. */
const listPacking = {
  operationId: "listPackingOrders",
  summary: "List orders without their totals and email addresses, newest first by default",
  description:
    "As `GET /api/admin/orders`, without conditions on totals. `q` finds orders by number or id.",
  permission: "orders:pack",
  takes: z.object({ query: packingParameters }),
  answers: { 200: packingOrderPageSchema },
} satisfies Operation;

const exportCsv = {
  ...csvOperation,
  operationId: "exportOrders",
  summary: "Export orders as CSV",
  description: `With the filters and the sorting of the list. Each row shows its order at the time the row is read. ${csvDescription}`,
  permission: "orders:read",
  takes: z.object({ query: exportParameters }),
} satisfies Operation;

/** Reads a page of the list, with the contents of its orders. */
async function readPage(db: Queries, query: ListQuery, timeZone: string) {
  const { cursor, limit = DEFAULT_LIMIT } = query;
  const rows = await listOrders(db, filterOf(query, timeZone), { cursor, limit: limit + 1 });
  const { page, next_cursor } = pageOf(rows, limit, (last) => z.encode(orderCursor, last.cursor));
  const contents = await readContents(
    db,
    page.map(({ id }) => id),
  );
  return { orders: page.map((order) => ({ ...order, ...contents.get(order.id) })), next_cursor };
}

export function listOrdersRoutes(
  app: FastifyInstance,
  db: Queries,
  timeZone: CurrentTimeZone,
): void {
  route(app, get(paths.admin.orders), list, ({ query }) => readPage(db, query, timeZone()));

  route(app, get(paths.admin.packingOrders), listPacking, ({ query }) =>
    readPage(db, { ...query, q: query.q && withoutWords(query.q) }, timeZone()),
  );

  const table = { name: "orders.csv", columns: orderColumns };
  route(app, get(paths.admin.ordersCsv), exportCsv, async ({ query }, reply) =>
    sendCsv(reply, db, table, recordsOf(db, filterOf(query, timeZone()))),
  );
}

async function* recordsOf(db: Queries, filter: OrderFilter): AsyncGenerator<string[][]> {
  const limit = ORDERS_PER_EXPORT_BATCH;
  const batches = readInBatches<ListedOrder>(limit, (last) =>
    listOrders(db, filter, { cursor: last?.cursor, limit }),
  );
  for await (const listed of batches) {
    const orders = await findOrders(
      db,
      listed.map(({ id }) => id),
    );
    yield listed.flatMap(({ id }) => {
      const order = orders.get(id);
      return order === undefined ? [] : [orderCells(order)];
    });
  }
}

/** Not the fields of the domain: a new field of an address must not move the columns behind it. */
const addressColumns = ["street", "city", "state", "postal_code", "country"] as const;

/** Programs rely on the names of the columns. A new column is added at the end. */
const orderColumns = [
  "id",
  "status",
  "placed_at",
  "customer_name",
  "customer_email",
  "items",
  "total",
  ...addressColumns.map((field) => `shipping_${field}`),
  ...addressColumns.map((field) => `billing_${field}`),
  "carrier",
  "tracking_number",
  "tracking_url",
  "number",
];

/** The total is in dollars, with two decimals. */
function orderCells(order: Order): string[] {
  const { shipping_address, billing_address } = order;
  const lines = order.items.map((line) => `${piecesText(line)} (${line.id})`);
  return [
    order.id,
    order.status,
    new Date(order.created_at).toISOString(),
    ...[order.customer_name, order.customer_email, lines.join("; ")].map(escapeCell),
    amountFromCents(order.total_price).toFixed(2),
    ...[shipping_address, billing_address]
      .flatMap((address) => addressColumns.map((field) => address[field]))
      .map(escapeCell),
    ...[order.carrier, order.tracking_number, order.tracking_url].map((text) =>
      escapeCell(text ?? ""),
    ),
    order.number,
  ];
}
