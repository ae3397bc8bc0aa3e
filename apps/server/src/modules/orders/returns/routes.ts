import {
  idempotencyHeader,
  newReturnSchema,
  openReturnsSchema,
  paths,
  returnAnswerSchema,
  returnMoveSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import {
  idempotencyHeaders,
  noFields,
  type Operation,
  storedId,
} from "../../../platform/http/operation.ts";
import { get, post, route } from "../../../platform/http/route.ts";
import { actorOf } from "../../staff/index.ts";
import { orderParams, orderRoute } from "../order-route.ts";
import { listOpenReturns } from "./return-repository.ts";
import { type Returns, UNKNOWN_RETURN } from "./returns.ts";

const open = {
  operationId: "openReturn",
  summary: "Open a return of a shipped or delivered order",
  description: "It is accepted. The customer gets an email with `message`; `reason` is for staff.",
  permission: "orders:write",
  takes: z.object({
    params: orderParams,
    headers: idempotencyHeaders("Requests with the same key, lines and reason open one return"),
    body: newReturnSchema,
  }),
  answers: { 201: returnAnswerSchema },
} satisfies Operation;

const move = {
  operationId: "moveReturn",
  summary: "Accept, decline or complete a return, or record that its items have arrived",
  description:
    "A requested return becomes accepted, then received; a refund with its `return_id` makes it refunded. Without one it becomes completed, and `restock` has the pieces that return to the stock. Until then it can be declined. The customer gets an email with `message`. If the state permits no such change, the answer is 409 return_changed.",
  permission: "orders:write",
  takes: z.object({
    params: z.extend(orderParams, { returnId: storedId }),
    body: returnMoveSchema,
  }),
  notFoundDetail: UNKNOWN_RETURN,
  answers: { 200: returnAnswerSchema },
} satisfies Operation;

const list = {
  operationId: "listOpenReturns",
  summary: "List the open returns of all orders",
  description: "Those that are requested, accepted or received: the oldest 200.",
  permission: "orders:read",
  takes: noFields,
  answers: { 200: openReturnsSchema },
} satisfies Operation;

export function returnRoutes(app: FastifyInstance, db: Queries, returns: Returns): void {
  route(app, get(paths.admin.returns), list, async () => ({
    returns: await listOpenReturns(db),
  }));

  orderRoute(
    app,
    db,
    post(paths.admin.orderReturns),
    open,
    async ({ orderId, headers, body }, reply) => {
      const idempotencyKey = headers[idempotencyHeader];
      const by = actorOf(reply.request);
      const outcome = await returns.open({ orderId, ...body, by, idempotencyKey });
      if (outcome === undefined || outcome.kind === "refused") return outcome;
      if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
      return { id: outcome.id, state: outcome.state };
    },
  );

  orderRoute(
    app,
    db,
    post(paths.admin.returnMoves),
    move,
    async ({ orderId, params, body }, reply) => {
      const { returnId } = params;
      const { expected_state: expected, ...change } = body;
      const by = actorOf(reply.request);
      const outcome = await returns.move({ orderId, returnId, ...change, by, expected });
      if (outcome === undefined || outcome.kind === "refused") return outcome;
      return { id: returnId, state: body.to };
    },
  );
}
