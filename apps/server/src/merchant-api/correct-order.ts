import { orderPatchAnswerSchema, orderPatchSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { CorrectAddress, CorrectShipment } from "../orders/index.ts";
import { actorOf } from "./actor-of.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const operation = {
  operationId: "correctOrder",
  summary:
    "Correct the shipping address of an order until it ships, or the tracking of a shipped one",
  description:
    "`expected` may contain fields as they were last read. If a field to be corrected has changed since, nothing is stored and the answer is 409 order_changed, unless the field already has its new value.",
  tag: "merchant",
  permission: "orders:write",
  takes: z.object({ params: orderParams, body: orderPatchSchema }),
  answers: { 200: orderPatchAnswerSchema },
} satisfies Operation;

interface Dependencies {
  readonly db: Queries;
  readonly correctAddress: CorrectAddress;
  readonly correctShipment: CorrectShipment;
}

export function correctOrderRoute(
  app: FastifyInstance,
  { db, correctAddress, correctShipment }: Dependencies,
): void {
  const place = { method: "PATCH", path: paths.merchant.order } as const;
  route(app, place, operation, async ({ params, body }, reply) => {
    const orderId = await resolveOrder(reply, db, params.id);
    if (orderId === undefined) return reply;
    const by = actorOf(reply.request);
    const { shipping_address: address, expected, ...shipment } = body;
    const outcome =
      address === undefined
        ? await correctShipment({ orderId, by, shipment, expected })
        : await correctAddress({ orderId, by, address, expected: expected?.shipping_address });
    switch (outcome.kind) {
      case "corrected":
      case "unchanged":
        return { id: orderId, changed: outcome.kind === "corrected" };
      case "changed-meanwhile":
        return sendProblem(reply, "order_changed", {
          detail: `Changed since it was read: ${outcome.fields.join(", ")}. Nothing was stored. Read the order again.`,
        });
      case "refused":
        return sendProblem(reply, "correction_refused", {
          detail: `The order is ${outcome.status}: ${address === undefined ? "only a shipped order has tracking" : "its address can be corrected only until it ships"}.`,
          current_status: outcome.status,
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}
