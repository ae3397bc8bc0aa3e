import { adminOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get } from "../../platform/http/route.ts";
import { deliveryAnswer, listDeliveriesOfSubject } from "../../platform/outbox/deliveries.ts";
import { hiddenChannelOf } from "../staff/index.ts";
import { eventLabels } from "./event-labels.ts";
import { notesOf } from "./notes.ts";
import { findOrder, listEvents, type OrderEvent } from "./order-repository.ts";
import { orderParams, orderRoute } from "./order-route.ts";
import type { PaymentHooks } from "./payment-hooks.ts";
import { findReturnsOfOrder } from "./returns/return-repository.ts";

const operation = {
  operationId: "showOrder",
  summary: "Get an order, with its history, notes, loans, returns and deliveries",
  description: "Only owners see the deliveries to webhooks.",
  permission: "orders:read",
  takes: z.object({ params: orderParams }),
  answers: { 200: adminOrderSchema },
} satisfies Operation;

export function showOrderRoute(
  app: FastifyInstance,
  db: Queries,
  describeMoney: PaymentHooks["describeMoney"],
): void {
  orderRoute(app, db, get(paths.admin.order), operation, async ({ orderId: id }, reply) => {
    const order = await findOrder(db, id);
    const events = await listEvents(db, id);
    const returns = await findReturnsOfOrder(db, id);
    const money = await describeMoney(db, id);
    if (order === undefined || money === undefined) return undefined;
    const deliveries = await listDeliveriesOfSubject(db, id, hiddenChannelOf(reply.request));
    return {
      ...order,
      events: events.map(eventAnswer),
      notes: notesOf(events),
      ...money,
      returns,
      deliveries: deliveries.map(deliveryAnswer),
    };
  });
}

export function eventAnswer({ from_status: from, to_status: to, data, ...event }: OrderEvent) {
  return { ...event, ...eventLabels(data), from, to };
}
