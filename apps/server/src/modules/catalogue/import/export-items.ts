import { Readable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { route } from "../../../platform/http/route.ts";
import { whileAuthorized } from "../../staff/index.ts";
import type { Item } from "../item.ts";
import { listItems } from "../item-repository.ts";
import { cellsOf, csvShape, type ItemColumn, itemColumns } from "./item-cells.ts";

const MAX_ITEMS_PER_BATCH = 500;

const query = z.strictObject({ stock: z.optional(z.enum(["1"])) });

const operation = {
  operationId: "exportItems",
  summary: "Export all items as CSV, including hidden ones",
  description:
    "A table for spreadsheets, which POST /api/admin/items/import accepts: UTF-8 with a byte order mark, commas, CRLF, and a header row (RFC 4180). An apostrophe precedes text that a spreadsheet would run as a formula (=, +, - or @ at the beginning of a cell, or after a semicolon, tab or line break in it) and text whose digits it would change, such as the id 007. An import removes the apostrophe. The column stock is included only with `stock=1`: orders change the stock while a table is edited, and an import would reset it.",
  tag: "admin",
  permission: "items:read",
  takes: z.object({ query }),
  media: "text/csv",
  answers: { 200: z.string() },
} satisfies Operation;

export function exportItemsRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.admin.itemsCsv }, operation, async (taken, reply) => {
    const columns = itemColumns.filter((column) => column !== "stock" || taken.query.stock === "1");
    const parts = whileAuthorized(csvOf(await listItems(db), columns), db, reply.request);
    return reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", 'attachment; filename="items.csv"')
      .send(Readable.from(parts, { highWaterMark: 1 }));
  });
}

async function* csvOf(
  items: readonly Item[],
  columns: readonly ItemColumn[],
): AsyncGenerator<string> {
  // Loaded at the first export, to keep the start fast.
  const { stringify } = await import("csv-stringify/sync");
  yield stringify([[...columns]], { ...csvShape, bom: true });
  for (let start = 0; start < items.length; start += MAX_ITEMS_PER_BATCH) {
    const some = items.slice(start, start + MAX_ITEMS_PER_BATCH);
    yield stringify(
      some.map((item) => cellsOf(item, columns)),
      csvShape,
    );
    await yieldToEventLoop();
  }
}
