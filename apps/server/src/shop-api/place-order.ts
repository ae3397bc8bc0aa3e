import { shortOrderId } from "@keepsats/domain";
import {
  createOrderSchema,
  expectedPricesHeader,
  expectedPricesSchema,
  expectedTotalHeader,
  expectedTotalSchema,
  idempotencyHeader,
  idempotencyKeySchema,
  orderKeyHeader,
  paths,
  placedOrderSchema,
  replacedOrderHeader,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { csrfProtection } from "../http/csrf.ts";
import type { Operation } from "../http/operation.ts";
import { type CheckKey, presentsKey } from "../http/order-key.ts";
import { sendProblem } from "../http/problems.ts";
import { rateLimit } from "../http/rate-limit.ts";
import { route } from "../http/route.ts";
import { type Limit, network } from "../limits/limit.ts";
import type { Order, OrderKeys, PlaceOrder } from "../orders/index.ts";
import type { ReplaceOrder } from "../payments/index.ts";
import { sendNotCancelled } from "./cancel-own-order.ts";
import { ownOrderId } from "./own-order.ts";

interface Options {
  readonly placeOrder: PlaceOrder;
  readonly replaceOrder: ReplaceOrder;
  readonly keyOf: OrderKeys["keyOf"];
  readonly checkKey: CheckKey;
  readonly limit: Limit;
  /** The origin whose page may place orders. */
  readonly publicUrl: string;
}

const keySchema = idempotencyKeySchema.check(
  z.describe(
    "A request with the same key and body gets the first answer again, with Idempotent-Replayed: true; its status is Cancelled if the order was cancelled since. A key is remembered as long as its order. After all links were made void, or the order's personal data was erased, it gets 422 and places no second order",
  ),
);

const totalSchema = expectedTotalSchema.check(
  z.describe(
    "The total that the shopper saw. If the order costs something else now, it is not placed",
  ),
);

const pricesSchema = expectedPricesSchema.check(
  z.describe(
    "With Expected-Total: the price of one piece of each line that the shopper saw. If one of them has changed, the order is not placed, even if the total is the same",
  ),
);

const orderKeySchema = z
  .string()
  .check(z.maxLength(100), z.describe("The key of the order in Replaced-Order"));

const operation = {
  operationId: "placeOrder",
  summary: "Place an order",
  description:
    "Refused with 409 out_of_stock if too few pieces of an item are left, and with 409 price_changed if Expected-Total is not what the order costs now, or Expected-Prices are not the prices of its lines. Nothing is placed then, and the same request with the same Idempotency-Key may succeed later.\n\nWith Replaced-Order, the unpaid order with that id is cancelled in the same transaction, which frees its pieces for the new one. Order-Key has its key. If it cannot be cancelled, the answer is that of cancelOwnOrder, and nothing is placed.",
  tag: "shop",
  takes: z.object({
    headers: z.object({
      [idempotencyHeader]: z.optional(keySchema),
      [expectedTotalHeader]: z.optional(totalSchema),
      [expectedPricesHeader]: z.optional(pricesSchema),
      [replacedOrderHeader]: z.optional(ownOrderId),
      [orderKeyHeader]: z.optional(orderKeySchema),
    }),
    body: createOrderSchema,
  }),
  answers: { 201: placedOrderSchema },
} satisfies Operation;

const wrongNumberOfPrices = {
  path: "Expected-Prices",
  message: "must have one price for each line",
};

export function placeOrderRoute(app: FastifyInstance, options: Options): void {
  const { placeOrder, replaceOrder, keyOf, checkKey, limit, publicUrl } = options;
  const onRequest = [csrfProtection(publicUrl), rateLimit(limit)];
  /** Adds the order's key, which is derived and not stored. */
  const withKey = (order: Order) => ({ ...order, key: keyOf(order.id) });
  route(
    app,
    { method: "POST", path: paths.orders, onRequest },
    operation,
    async ({ headers, body }, reply) => {
      const total = headers[expectedTotalHeader];
      const prices = headers[expectedPricesHeader];
      if (prices !== undefined && prices.length !== body.items.length) {
        return sendProblem(reply, "invalid", { errors: [wrongNumberOfPrices] });
      }
      const replaced = headers[replacedOrderHeader];
      if (replaced !== undefined && !(await presentsKey(checkKey, replaced, reply))) return reply;
      const wanted = {
        body,
        idempotencyKey: headers[idempotencyHeader],
        client: network(reply.request.ip),
        expected: total === undefined ? undefined : { total, prices },
      };
      const outcome =
        replaced === undefined ? await placeOrder(wanted) : await replaceOrder(replaced, wanted);
      reply.header("Cache-Control", "no-store");
      switch (outcome.kind) {
        case "placed":
          reply.log.info({ order: shortOrderId(outcome.order.id) }, "order placed");
          return withKey(outcome.order);
        case "replayed":
          reply.header("Idempotent-Replayed", "true");
          return withKey(outcome.order);
        case "key-reused":
          return sendProblem(reply, "idempotency_conflict", {
            detail:
              "This Idempotency-Key was used with another body, for the order in Replaced-Order, or for an order whose links are void or whose personal data was erased.",
          });
        case "invalid":
          return sendProblem(reply, "invalid", { errors: outcome.errors });
        case "out-of-stock":
          return sendProblem(reply, "out_of_stock", { items: outcome.items });
        case "price-changed":
          return sendProblem(reply, "price_changed", outcome.change);
        case "not-cancelled":
          return sendNotCancelled(reply, outcome.why);
      }
    },
  );
}
