import {
  type MerchantItem,
  merchantItemsSchema,
  paths,
  type StockFilter,
  stockFilters,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { listItems } from "../catalogue/item-repository.ts";
import { isLow } from "../catalogue/low-stock.ts";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";

const operation = {
  operationId: "listAllItems",
  summary: "All items, including hidden ones",
  description:
    "With `stock=low` only those on sale of which a few pieces are left, with `stock=none` those on sale of which none is left.",
  tag: "merchant",
  permission: "items:read",
  takes: z.object({ query: z.object({ stock: z.optional(z.enum(stockFilters)) }) }),
  answers: { 200: merchantItemsSchema },
} satisfies Operation;

export function listAllItemsRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.items }, operation, async ({ query }) => ({
    items: (await listItems(db)).filter((item) => isListed(query.stock, item)),
  }));
}

/**
 * A hidden item does not wait for pieces: those that are counted as low or sold out are on sale.
 */
function isListed(wanted: StockFilter | undefined, { stock, hidden }: MerchantItem): boolean {
  switch (wanted) {
    case undefined:
      return true;
    case "low":
      return !hidden && isLow(stock) && stock !== 0;
    case "none":
      return !hidden && stock === 0;
  }
}
