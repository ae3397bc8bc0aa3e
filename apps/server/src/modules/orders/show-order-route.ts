import { adminOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { route } from "../../platform/http/route.ts";
import { deliveryAnswer, listDeliveriesOfSubject } from "../../platform/outbox/deliveries.ts";
import { hiddenChannelOf } from "../staff/index.ts";
import { eventLabels } from "./event-labels.ts";
import { findOrderId, orderParams, sendUnknownOrder } from "./find-order-id.ts";
import { notesOf } from "./notes.ts";
import { findOrder, listEvents, type OrderEvent } from "./order-repository.ts";
import type { DescribeMoney } from "./payment-hooks.ts";
import { findReturnsOfOrder } from "./returns/return-repository.ts";

const operation = {
  operationId: "showOrder",
  summary: "Get an order, with its history, notes, loans, returns and deliveries",
  description: "Only owners see the deliveries to webhooks.",
  tag: "admin",
  permission: "orders:read",
  takes: z.object({ params: orderParams }),
  answers: { 200: adminOrderSchema },
} satisfies Operation;

export function showOrderRoute(
  app: FastifyInstance,
  { db, describeMoney }: { readonly db: Queries; readonly describeMoney: DescribeMoney },
): void {
  route(app, { method: "GET", path: paths.admin.order }, operation, async ({ params }, reply) => {
    const id = await findOrderId(reply, db, params.id);
    if (id === undefined) return reply;
    const order = await findOrder(db, id);
    const events = await listEvents(db, id);
    const returns = await findReturnsOfOrder(db, id);
    const money = await describeMoney(db, id);
    if (order === undefined || money === undefined) return sendUnknownOrder(reply);
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
