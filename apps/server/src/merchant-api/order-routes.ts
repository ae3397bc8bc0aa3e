import { dollarsFromCents, isMerchantStatus } from "@keepsats/domain";
import {
  isOrderId,
  type Mismatches,
  mismatchQuerySchema,
  orderListQuerySchema,
  paths,
  type TransitionAnswer,
  type TransitionRequest,
  transitionRequestSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { epochSeconds } from "../clock.ts";
import { sendInvalid, sendProblem } from "../http/problems.ts";
import type { MerchantOrders } from "./merchant-orders.ts";
import { decodePlace, encodePlace } from "./mismatch-cursor.ts";

const PAGE = 50;
const MISMATCHES_PAGE = 200;

/** The merchant's view of orders, under a scope that has checked the token. */
export function merchantOrderRoutes(app: FastifyInstance, orders: MerchantOrders): void {
  app.get(paths.merchant.orders, { config: { query: orderListQuerySchema } }, async (request, reply) => {
    const query = orderListQuerySchema.safeParse(request.query);
    if (!query.success) return sendInvalid(reply, query.error);
    const { status, cursor } = query.data;
    const rows = await orders.list({ status, cursor: parseCursor(cursor), limit: PAGE + 1 });
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    return {
      orders: page.map((row) => ({
        id: row.id,
        status: row.status,
        customer_name: row.customerName,
        total_price: dollarsFromCents(row.total),
        created_at: epochSeconds(row.createdAt),
      })),
      next_cursor: rows.length > PAGE && last !== undefined ? `${last.createdAt}_${last.id}` : null,
    };
  });

  app.get<{ Params: { id: string } }>(paths.merchant.order, async (request, reply) => {
    const id = await resolve(reply, orders, request.params.id);
    if (id === undefined) return reply;
    const order = await orders.show(id);
    return order === undefined ? sendUnknown(reply) : order;
  });

  app.post<{ Params: { id: string } }>(paths.merchant.transitions, async (request, reply) => {
    const body = transitionRequestSchema.safeParse(request.body);
    if (!body.success) return sendInvalid(reply, body.error);
    if (!isMerchantStatus(body.data.to)) {
      return sendProblem(reply, "transition_refused", {
        detail: `Only the loan provider's record makes an order ${body.data.to}.`,
      });
    }
    const id = await resolve(reply, orders, request.params.id);
    if (id === undefined) return reply;
    return move(reply, orders, { id, ...body.data });
  });

  app.get(paths.merchant.mismatches, { config: { query: mismatchQuerySchema } }, async (request, reply) => {
    const query = mismatchQuerySchema.safeParse(request.query);
    if (!query.success) return sendInvalid(reply, query.error);
    const { cursor } = query.data;
    const after = cursor === undefined ? undefined : decodePlace(cursor);
    if (cursor !== undefined && after === undefined) {
      return sendProblem(reply, "invalid", {
        errors: [{ path: "cursor", message: "is no cursor of this list" }],
      });
    }
    const { mismatches, next } = await orders.mismatches({ after, limit: MISMATCHES_PAGE });
    const page: Mismatches = { mismatches, next_cursor: next === undefined ? null : encodePlace(next) };
    return page;
  });
}

function parseCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [createdAt, id] = cursor.split("_");
  return { createdAt: Number(createdAt), id: id ?? "" };
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, "not_found", { detail: "No order has this id." });
}

/** The whole id that is meant; one that is whole already is not looked up. */
async function resolve(
  reply: FastifyReply,
  orders: MerchantOrders,
  given: string,
): Promise<string | undefined> {
  const whole = given.toLowerCase();
  if (isOrderId(whole)) return whole;
  const resolved = await orders.resolve(given);
  switch (resolved.kind) {
    case "one":
      return resolved.id;
    case "none":
      sendUnknown(reply);
      return undefined;
    case "many":
      sendProblem(reply, "ambiguous_id", { detail: "Several orders begin like this; give more of the id." });
      return undefined;
  }
}

async function move(
  reply: FastifyReply,
  orders: MerchantOrders,
  { id, to, reason, expected_status: expected }: TransitionRequest & { id: string },
): Promise<TransitionAnswer | FastifyReply> {
  const outcome = await orders.move({ orderId: id, to, reason, expected });
  switch (outcome.kind) {
    case "changed":
    case "unchanged":
      return { id, status: to, changed: outcome.kind === "changed" };
    case "refused":
      return sendProblem(reply, "transition_refused", {
        detail: `An order that is ${outcome.from} cannot become ${to}.`,
      });
    case "overtaken":
      return sendProblem(reply, "status_changed", {
        detail: `The order is ${outcome.from} by now.`,
        current_status: outcome.from,
      });
    case "not-found":
      return sendUnknown(reply);
  }
}
