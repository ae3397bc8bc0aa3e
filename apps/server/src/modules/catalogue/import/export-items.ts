import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import type { YieldToEventLoop } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { sendCsv } from "../../staff/index.ts";
import type { Item } from "../item.ts";
import { listItems } from "../item-repository.ts";
import { cellsOf, type ItemColumn, itemColumns } from "./item-cells.ts";

const MAX_ITEMS_PER_BATCH = 500;

const query = z.strictObject({ stock: z.optional(z.enum(["1"])) });

const operation = {
  ...csvOperation,
  operationId: "exportItems",
  summary: "Export all items as CSV, including hidden ones",
  description: `POST /api/admin/items/import accepts the table, and removes the apostrophes. The column stock is included only with \`stock=1\`: orders change the stock while a table is edited, and an import would reset it. ${csvDescription}`,
  permission: "items:read",
  takes: z.object({ query }),
} satisfies Operation;

export function exportItemsRoute(app: FastifyInstance, db: Queries): void {
  route(app, get(paths.admin.itemsCsv), operation, async ({ query }, reply) => {
    const columns = itemColumns.filter((column) => column !== "stock" || query.stock === "1");
    const items = await listItems(db);
    return sendCsv(reply, db, { name: "items.csv", columns }, (yieldToEventLoop) =>
      recordsOf(items, columns, yieldToEventLoop),
    );
  });
}

async function* recordsOf(
  items: readonly Item[],
  columns: readonly ItemColumn[],
  yieldToEventLoop: YieldToEventLoop,
): AsyncGenerator<string[][]> {
  for (const slice of slices(items, MAX_ITEMS_PER_BATCH)) {
    yield slice.map((item) => cellsOf(item, columns));
    await yieldToEventLoop();
  }
}
