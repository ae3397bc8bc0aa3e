import { shortOrderId } from "@keepsats/domain";
import {
  expectedPricesHeader,
  expectedPricesSchema,
  expectedTotalHeader,
  expectedTotalSchema,
  idempotencyHeader,
  idempotencyKeySchema,
  orderKeyHeader,
  paths,
  placedOrderSchema,
  placeOrderRequestSchema,
  replacedOrderHeader,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { csrfProtection } from "../../../platform/http/csrf.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { post, rateLimit, route } from "../../../platform/http/route.ts";
import { type Limit, networkOf } from "../../../platform/rate-limit/limit.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { anyCaseOrderIdSchema } from "../customer-routes.ts";
import { type CheckKey, keyRefusal } from "../keys/check-order-key.ts";
import type { OrderKeys } from "../keys/order-keys.ts";
import type { Order } from "../order.ts";
import type { PlaceOrder } from "./place-order.ts";
import type { ReplaceOrder } from "./replace-order.ts";

interface Options {
  readonly placeOrder: PlaceOrder;
  readonly replaceOrder: ReplaceOrder;
  readonly keyOf: OrderKeys["keyOf"];
  readonly checkKey: CheckKey;
  readonly limit: Limit;
  /** The origin whose pages may place orders. */
  readonly publicUrl: string;
}

const keySchema = idempotencyKeySchema.check(
  z.describe(
    "A request with the same key and body gets the first answer again, with Idempotent-Replayed: true; its status is Cancelled if the order was cancelled since. A key is stored as long as its order. After all order links were revoked, or the order's personal data was erased, a repeated request gets 422 and places no second order",
  ),
);

const totalSchema = expectedTotalSchema.check(
  z.describe(
    "The total that the customer saw. If it is not the current total, the order is not placed",
  ),
);

const pricesSchema = expectedPricesSchema.check(
  z.describe(
    "With Expected-Total: the unit price of each line that the customer saw. If one of them has changed, the order is not placed, even if the total is the same",
  ),
);

const orderKeySchema = z
  .string()
  .check(z.maxLength(100), z.describe("The key of the order in Replaced-Order"));

const operation = {
  operationId: "placeOrder",
  summary: "Place an order",
  description:
    "Refused with 409 out_of_stock if an item has too few pieces left, and with 409 price_changed if Expected-Total is not the current total, or Expected-Prices are not the current unit prices. Nothing is placed then, and the same request with the same Idempotency-Key may succeed later.\n\nWith Replaced-Order, the unpaid order with that id is cancelled in the same transaction, and its pieces are available to the new one. Order-Key is the key of the order to cancel. If it cannot be cancelled, the answer is that of cancelCustomerOrder, and nothing is placed.",
  takes: z.object({
    headers: z.object({
      [idempotencyHeader]: z.optional(keySchema),
      [expectedTotalHeader]: z.optional(totalSchema),
      [expectedPricesHeader]: z.optional(pricesSchema),
      [replacedOrderHeader]: z.optional(anyCaseOrderIdSchema),
      [orderKeyHeader]: z.optional(orderKeySchema),
    }),
    body: placeOrderRequestSchema,
  }),
  answers: { 201: placedOrderSchema },
} satisfies Operation;

const wrongNumberOfPrices = {
  path: "Expected-Prices",
  message: "must have one price per line",
};

export function placeOrderRoute(app: FastifyInstance, options: Options): void {
  const { placeOrder, replaceOrder, keyOf, checkKey, limit, publicUrl } = options;
  const onRequest = [csrfProtection(publicUrl), rateLimit(limit)];
  const withKey = (order: Order) => ({ ...order, key: keyOf(order.id) });
  route(app, post(paths.orders, onRequest), operation, async ({ headers, body }, reply) => {
    const total = headers[expectedTotalHeader];
    const prices = headers[expectedPricesHeader];
    if (prices !== undefined && prices.length !== body.items.length) {
      return new Refusal("invalid", { errors: [wrongNumberOfPrices] });
    }
    const replaced = headers[replacedOrderHeader];
    if (replaced !== undefined) {
      const refusal = await keyRefusal(checkKey, replaced, reply);
      if (refusal !== undefined) return refusal;
    }
    const request = {
      body,
      idempotencyKey: headers[idempotencyHeader],
      client: networkOf(reply.request.ip),
      expected: total === undefined ? undefined : { total, prices },
    };
    const outcome =
      replaced === undefined ? await placeOrder(request) : await replaceOrder(replaced, request);
    reply.header("Cache-Control", "no-store");
    switch (outcome.kind) {
      case "placed":
        reply.log.info({ order: shortOrderId(outcome.order.id) }, "order placed");
        return withKey(outcome.order);
      case "repeated":
        reply.header("Idempotent-Replayed", "true");
        return withKey(outcome.order);
      case "refused":
        return outcome;
    }
  });
}
