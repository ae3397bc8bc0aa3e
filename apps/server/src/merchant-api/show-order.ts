import { type MerchantOrder, merchantOrderSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import { deliveriesOf, deliveryAnswer } from "../outbox/deliveries.ts";
import { extensionsAmong, findOrderHistory, type OrderHistory } from "../payments/index.ts";
import { hiddenChannelOf } from "./actor-of.ts";
import { eventWords } from "./event-words.ts";
import { knownIssues } from "./issue-answer.ts";
import { ledgerAnswer } from "./ledger-answer.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const operation = {
  operationId: "showOrder",
  summary: "One order with its events, notes, loans and deliveries",
  description: "To staff the deliveries to webhooks are not shown.",
  tag: "merchant",
  permission: "orders:read",
  takes: z.object({ params: orderParams }),
  answers: { 200: merchantOrderSchema },
} satisfies Operation;

export function showOrderRoute(app: FastifyInstance, db: Queries): void {
  route(
    app,
    { method: "GET", path: paths.merchant.order },
    operation,
    async ({ params }, reply) => {
      const id = await resolveOrder(reply, db, params.id);
      if (id === undefined) return reply;
      const history = await findOrderHistory(db, id);
      if (history === undefined) return sendUnknownOrder(reply);
      const deliveries = await deliveriesOf(db, id, hiddenChannelOf(reply.request));
      return { ...merchantOrder(history), deliveries: deliveries.map(deliveryAnswer) };
    },
  );
}

/** An order in the words of the merchant API, before it is encoded. */
function merchantOrder({
  order,
  events,
  issues,
  account,
}: OrderHistory): Omit<MerchantOrder, "deliveries"> {
  const extensions = extensionsAmong(account);
  return {
    ...order,
    events: events.map(({ from_status: from, to_status: to, data, ...event }) => ({
      ...event,
      ...eventWords(data),
      from,
      to,
    })),
    notes: events.flatMap(({ kind, data, by_name, at }) => {
      const text = kind === "noted" ? eventWords(data).message : null;
      return text === null ? [] : [{ text, by_name, at }];
    }),
    loans: account.loans.map((loan) => ({
      id: loan.id,
      provider_status: loan.providerStatus,
      state: loan.state,
      amount: loan.cents ?? null,
      currency: loan.currency,
      is_extension: extensions.has(loan.id),
      bound_at: loan.boundAt,
    })),
    payment_issues: knownIssues(issues, account),
    ledger: ledgerAnswer(account),
  };
}
