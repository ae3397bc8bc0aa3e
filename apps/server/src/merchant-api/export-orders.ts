import { Readable } from "node:stream";
import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type Clock, elapsed } from "../clock.ts";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { type Cursor, findOrders, listOrders, type OrderFilter } from "../orders/index.ts";
import { createEndTurn } from "../turns.ts";
import { whileLetIn } from "./let-in.ts";
import { filterFields, filterOf } from "./order-query.ts";
import { orderCells, orderColumns } from "./order-record.ts";

/** How many orders are read at a time: few enough that other requests hardly wait. */
const AT_A_TIME = 25;
/** The share of the time that an export takes while requests come. */
const SHARE = 1 / 20;

const operation = {
  operationId: "exportOrders",
  summary: "The orders of a list as CSV",
  description:
    "A table for spreadsheets, with the filters and in the order of the list: UTF-8 with a byte order mark, commas, CRLF, and a header row (RFC 4180). Times are in UTC. An apostrophe precedes text that a spreadsheet would run as a formula (=, +, - or @ at the beginning of a cell, or after a semicolon, tab or line break in it) and text whose digits it would change, such as 01234. Each row shows its order at the time the row is read. If the connection ends early, the answer has no last chunk and is incomplete",
  tag: "merchant",
  permission: "orders:read",
  takes: z.object({ query: z.object(filterFields) }),
  media: "text/csv",
  answers: { 200: z.string() },
} satisfies Operation;

/** The export is read while it is sent: whatever its length, only a few orders are in memory. */
export function exportOrdersRoute(app: FastifyInstance, db: Queries): void {
  route(
    app,
    { method: "GET", path: paths.merchant.ordersCsv },
    operation,
    async ({ query }, reply) => {
      const reader = createReader();
      const parts = reader.read(
        whileLetIn(csvOf(db, filterOf(query), reader.now), db, reply.request),
      );
      return reply
        .type("text/csv; charset=utf-8")
        .header("Content-Disposition", 'attachment; filename="orders.csv"')
        .send(Readable.from(parts, { highWaterMark: 1 }));
    },
  );
}

/**
 * Hands parts on to whoever reads them, and has a clock that stands still while nobody wants the
 * next one.
 */
function createReader() {
  let waited = 0;
  async function* read(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      const handed = elapsed();
      yield part;
      waited += elapsed() - handed;
    }
  }
  return { read, now: () => elapsed() - waited };
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
  const endTurn = createEndTurn({ share: SHARE, now });
  let cursor: Cursor | undefined;
  do {
    const listed = await listOrders(db, filter, { cursor, limit: AT_A_TIME });
    if (listed.length === 0) return;
    const orders = await findOrders(
      db,
      listed.map(({ id }) => id),
    );
    yield listed.flatMap(({ id }) => {
      const order = orders.get(id);
      return order === undefined ? [] : [orderCells(order)];
    });
    await endTurn();
    cursor = listed.length < AT_A_TIME ? undefined : listed.at(-1)?.cursor;
  } while (cursor !== undefined);
}
