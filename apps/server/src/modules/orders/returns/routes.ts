import {
  idempotencyHeader,
  newReturnSchema,
  openReturnsSchema,
  paths,
  returnAnswerSchema,
  returnMoveSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import {
  idempotencyHeaders,
  noFields,
  type Operation,
  storedId,
} from "../../../platform/http/operation.ts";
import { sendProblem } from "../../../platform/http/problems.ts";
import { route } from "../../../platform/http/route.ts";
import { actorOf } from "../../staff/index.ts";
import { orderParams, orderRoute, sendUnknownOrder } from "../order-route.ts";
import { listOpenReturns } from "./return-repository.ts";
import type { Returns } from "./returns.ts";
import type { ReturnMoveDecision, ReturnRefusal } from "./rules.ts";

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

export const UNKNOWN_RETURN = "The order has no return with this id.";

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

interface Options {
  readonly db: Queries;
  readonly returns: Returns;
}

export function returnRoutes(app: FastifyInstance, { db, returns }: Options): void {
  const { orderReturns, returnMoves, returns: openReturns } = paths.admin;

  route(app, { method: "GET", path: openReturns }, list, async () => ({
    returns: await listOpenReturns(db),
  }));

  const openEndpoint = { method: "POST", path: orderReturns } as const;
  orderRoute(app, db, openEndpoint, open, async ({ orderId, headers, body }, reply) => {
    const idempotencyKey = headers[idempotencyHeader];
    const by = actorOf(reply.request);
    const outcome = await returns.open({ orderId, ...body, by, idempotencyKey });
    if (outcome.kind === "repeated") reply.header("Idempotent-Replayed", "true");
    switch (outcome.kind) {
      case "repeated":
      case "opened":
        return { id: outcome.id, state: outcome.state };
      case "key-reused":
        return sendProblem(reply, "idempotency_conflict", {
          detail: "This Idempotency-Key was used for a different return of this order.",
        });
      case "not-found":
        return sendUnknownOrder(reply);
      case "wrong-status":
      case "erased":
      case "no-returns":
      case "period-over":
      case "requested-already":
      case "wrong-lines":
        return sendNotReturnable(reply, outcome);
    }
  });

  const moveEndpoint = { method: "POST", path: returnMoves } as const;
  orderRoute(app, db, moveEndpoint, move, async ({ orderId, params, body }, reply) => {
    const { returnId } = params;
    const { expected_state: expected, ...change } = body;
    const by = actorOf(reply.request);
    const outcome = await returns.move({ orderId, returnId, ...change, by, expected });
    switch (outcome.kind) {
      case "moved":
        return { id: returnId, state: body.to };
      case "state-changed":
      case "refused":
        return sendReturnChanged(reply, outcome, body.to);
      case "wrong-lines":
        return sendNotReturnable(reply, outcome);
      case "unknown-return":
        return sendProblem(reply, "not_found", { detail: UNKNOWN_RETURN });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}

export function sendNotReturnable(reply: FastifyReply, why: ReturnRefusal): FastifyReply {
  switch (why.kind) {
    case "wrong-status":
      return sendProblem(reply, "not_returnable", {
        detail: `An order that is ${why.status} cannot be returned.`,
        current_status: why.status,
      });
    case "erased":
      return sendProblem(reply, "not_returnable", {
        detail: "The personal data of this order is erased.",
      });
    case "no-returns":
      return sendProblem(reply, "not_returnable", {
        detail: "Returns cannot be requested on the order page.",
      });
    case "period-over":
      return sendProblem(reply, "not_returnable", { detail: "The return period is over." });
    case "requested-already":
      return sendProblem(reply, "not_returnable", {
        detail: "A return is requested already, and the shop has not answered yet.",
      });
    case "wrong-lines":
      return sendProblem(reply, "invalid", { errors: [...why.errors] });
  }
}

/** @param to the state that the return would have got */
export function sendReturnChanged(
  reply: FastifyReply,
  { kind, state }: Exclude<ReturnMoveDecision, { kind: "moved" }>,
  to: string,
): FastifyReply {
  switch (kind) {
    case "state-changed":
      return sendProblem(reply, "return_changed", {
        detail: `The return is ${state} by now. Nothing was changed.`,
      });
    case "refused":
      return sendProblem(reply, "return_changed", {
        detail: `A return that is ${state} cannot become ${to}. Nothing was changed.`,
      });
  }
}
