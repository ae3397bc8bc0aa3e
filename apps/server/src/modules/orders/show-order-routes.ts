import { adminOrderSchema, packingEventKinds, packingOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get } from "../../platform/http/route.ts";
import { deliveryAnswer, listDeliveriesOfSubject } from "../../platform/outbox/deliveries.ts";
import { hiddenChannelOf } from "../staff/index.ts";
import { notesOf } from "./changing/notes.ts";
import { eventLabels } from "./event-labels.ts";
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

/** The order as packers see it. The schema leaves out all fields that it does not name. */
const showPacking = {
  operationId: "showPackingOrder",
  summary: "Get an order without money, with its lines, shipping address, shipment and notes",
  permission: "orders:pack",
  takes: z.object({ params: orderParams }),
  answers: { 200: packingOrderSchema },
} satisfies Operation;

export function showOrderRoutes(
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

  orderRoute(app, db, get(paths.admin.packingOrder), showPacking, async ({ orderId: id }) => {
    const order = await findOrder(db, id);
    if (order === undefined) return undefined;
    const events = await listEvents(db, id);
    return {
      ...order,
      events: events.filter(isOfPacking).map(packingEventAnswer),
      notes: notesOf(events),
    };
  });
}

function eventAnswer({ from_status: from, to_status: to, data, ...event }: OrderEvent) {
  return { ...event, ...eventLabels(data), from, to };
}

function isOfPacking({ kind }: OrderEvent): boolean {
  return packingEventKinds.some((known) => known === kind);
}

/** The message to a customer about a cancellation may be about the refund. */
function packingEventAnswer(event: OrderEvent) {
  const { reason: _, message, ...answer } = eventAnswer(event);
  return { ...answer, message: event.kind === "noted" ? message : null };
}
