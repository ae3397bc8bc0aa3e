import { merchantItemsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { listItems } from "../catalogue/item-repository.ts";
import type { Queries } from "../db/database.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";

const operation = {
  operationId: "listAllItems",
  summary: "All items, including hidden ones",
  tag: "merchant",
  auth: "merchant",
  takes: noFields,
  answers: { 200: merchantItemsSchema },
} satisfies Operation;

export function listAllItemsRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.items }, operation, async () => ({
    items: await listItems(db),
  }));
}
