import { type MerchantOrder, merchantOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { findOrderHistory, meaningOf, type OrderHistory } from "../payments/index.ts";
import { knownMismatches } from "./list-mismatches.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const operation = {
  operationId: "showOrder",
  summary: "One order with its events and contracts",
  tag: "merchant",
  auth: "merchant",
  takes: z.object({ params: orderParams }),
  answers: { 200: merchantOrderSchema },
} satisfies Operation;

export function showOrderRoute(app: FastifyInstance, db: Queries): void {
  route(app, { method: "GET", path: paths.merchant.order }, operation, async ({ params }, reply) => {
    const id = await resolveOrder(reply, db, params.id);
    if (id === undefined) return reply;
    const history = await findOrderHistory(db, id);
    return history === undefined ? sendUnknownOrder(reply) : merchantOrder(history);
  });
}

/** An order in the words of the merchant API, before it is encoded. */
function merchantOrder({ order, events, loans, mismatches }: OrderHistory): MerchantOrder {
  return {
    ...order,
    events: events.map(({ from_status: from, to_status: to, ...event }) => ({ ...event, from, to })),
    contracts: loans.map((loan) => ({
      id: loan.id,
      status: loan.word,
      meaning: meaningOf(loan.standing),
      amount: loan.cents ?? null,
      extends: loan.extends ?? null,
      bound_at: loan.boundAt,
    })),
    mismatches: knownMismatches(mismatches),
  };
}
