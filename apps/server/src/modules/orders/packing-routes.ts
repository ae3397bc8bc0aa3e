import {
  packingEventKinds,
  packingOrderPageSchema,
  packingOrderSchema,
  paths,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../platform/scheduling/calendar-day.ts";
import { readPage } from "./list-orders-routes.ts";
import { notesOf } from "./notes.ts";
import { packingParameters } from "./order-parameters.ts";
import { findOrder, listEvents, type OrderEvent } from "./order-repository.ts";
import { orderParams, orderRoute } from "./order-route.ts";
import { withoutWords } from "./search-words.ts";
import { eventAnswer } from "./show-order-route.ts";

const list = {
  operationId: "listPackingOrders",
  summary: "List orders without their totals and email addresses, newest first by default",
  description:
    "As `GET /api/admin/orders`, without conditions on totals. `q` finds orders by number or id.",
  permission: "orders:pack",
  takes: z.object({ query: packingParameters }),
  answers: { 200: packingOrderPageSchema },
} satisfies Operation;

const show = {
  operationId: "showPackingOrder",
  summary: "Get an order without money, with its lines, shipping address, shipment and notes",
  permission: "orders:pack",
  takes: z.object({ params: orderParams }),
  answers: { 200: packingOrderSchema },
} satisfies Operation;

/** The orders as packers see them. The schemas leave out all fields that they do not name. */
export function packingRoutes(app: FastifyInstance, db: Queries, timeZone: CurrentTimeZone): void {
  route(app, get(paths.admin.packingOrders), list, ({ query }) =>
    readPage(db, { ...query, q: query.q && withoutWords(query.q) }, timeZone()),
  );
  orderRoute(app, db, get(paths.admin.packingOrder), show, async ({ orderId: id }) => {
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

function isOfPacking({ kind }: OrderEvent): boolean {
  return packingEventKinds.some((known) => known === kind);
}

/** The message to a customer about a cancellation may be about the refund. */
function packingEventAnswer(event: OrderEvent) {
  const { reason: _, message, ...answer } = eventAnswer(event);
  return { ...answer, message: event.kind === "noted" ? message : null };
}
