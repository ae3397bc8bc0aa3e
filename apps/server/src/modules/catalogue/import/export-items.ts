import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { csvDescription, csvOperation } from "../../../platform/http/csv.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { sendCsv } from "../../staff/index.ts";
import { listItems } from "../item-repository.ts";
import { cellsOf, itemColumns } from "./item-cells.ts";

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
    function* batches(): Generator<string[][]> {
      for (const batch of slices(items, MAX_ITEMS_PER_BATCH))
        yield batch.map((item) => cellsOf(item, columns));
    }
    return sendCsv(reply, db, { name: "items.csv", columns }, batches());
  });
}
