import { orderKeysAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import type { CurrentOrderKeys } from "../orders/index.ts";
import { merchantOf } from "./actor-of.ts";

const operation = {
  operationId: "replaceOrderKeys",
  summary:
    "Make a new secret for the keys of orders; every link to an order that was given out before is void",
  tag: "merchant",
  permission: "order-links:void",
  takes: noFields,
  answers: { 201: orderKeysAnswerSchema },
} satisfies Operation;

interface Dependencies {
  readonly orderKeys: Pick<CurrentOrderKeys, "replace">;
  readonly now: Clock;
}

export function replaceOrderKeysRoute(
  app: FastifyInstance,
  { orderKeys, now }: Dependencies,
): void {
  route(app, { method: "POST", path: paths.merchant.orderKeys }, operation, async (_, reply) => {
    await orderKeys.replace();
    const { name } = merchantOf(reply.request);
    reply.log.warn(
      { by: name },
      "the secret of the order keys was replaced: earlier links are void",
    );
    return { replaced_at: now() };
  });
}
