import { paths, receiptsSchema } from "@keepsats/protocol";
import type { FastifyInstance, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import {
  anyCaseOrderIdSchema,
  noOrderForKey,
  orderParams,
  orderRoute,
} from "../../orders/index.ts";
import type { Receipts } from "./receipts.ts";

const description =
  "The receipt first, then its credit notes in the order of their numbers; empty for an order that was never paid. They never change, except that erasing the order empties the buyer's name and address.";

const ofCustomer = {
  operationId: "showCustomerReceipts",
  summary: "Get the receipt of an order and its credit notes, by the order's key",
  description,
  auth: "orderKey",
  takes: z.object({ params: z.object({ id: anyCaseOrderIdSchema }) }),
  answers: { 200: receiptsSchema },
} satisfies Operation;

const ofStaff = {
  operationId: "showReceipts",
  summary: "Get the receipt of an order and its credit notes",
  description,
  permission: "payments:read",
  takes: z.object({ params: orderParams }),
  answers: { 200: receiptsSchema },
} satisfies Operation;

/** @param onRead check the order's key */
export function customerReceiptsRoute(
  app: FastifyInstance,
  receipts: Receipts,
  onRead: onRequestHookHandler[],
): void {
  route(app, get(paths.receipts, onRead), ofCustomer, async ({ params: { id } }) => {
    const found = await receipts.read(id);
    return found === undefined ? noOrderForKey : { receipts: found };
  });
}

export function receiptsRoute(app: FastifyInstance, db: Queries, receipts: Receipts): void {
  orderRoute(app, db, get(paths.admin.receipts), ofStaff, async ({ orderId }) => {
    const found = await receipts.read(orderId);
    return found && { receipts: found };
  });
}
