import { correctOrderSchema, paths, subscribedOrderSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { network } from "../../platform/rate-limit/limit.ts";
import { sendNoOrderForKey } from "./check-order-key.ts";
import type { CorrectAddress } from "./correct-order.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-repository.ts";
import type { CancelOrder, NotCancelled } from "./payment-hooks.ts";

/** The id of an order, in upper or lower case. */
export const orderId = z.pipe(
  z.string().check(z.meta({ minLength: 36, maxLength: 36, pattern: "^[0-9A-Fa-f-]*$" })),
  z.transform((id: string) => id.toLowerCase()),
);

const params = z.object({ id: orderId });

/** Each of these routes needs the order's key. */
const withOrderKey = {
  tag: "shop",
  auth: "orderKey",
  answers: { 200: subscribedOrderSchema },
} as const satisfies Partial<Operation>;

const show = {
  ...withOrderKey,
  operationId: "showCustomerOrder",
  summary: "The order of a customer, by its key",
  description: "The same as the order stream sends to a subscriber with the key.",
  takes: z.object({ params }),
} satisfies Operation;

const correct = {
  ...withOrderKey,
  operationId: "correctCustomerOrder",
  summary: "Correct the shipping address of an order",
  description:
    "Possible until the order is shipped; after that the answer is 409 with `current_status`. `expected` may contain the address as it was last read: if it has changed since, nothing is stored and the answer is 409 order_changed.",
  takes: z.object({ params, body: correctOrderSchema }),
} satisfies Operation;

const cancel = {
  ...withOrderKey,
  operationId: "cancelCustomerOrder",
  summary: "Cancel an unpaid order",
  description:
    "Possible while the order awaits payment, unless a loan for it is paid out, or is active and was presented with the order's key. Otherwise the answer is 409: `loan_active`, or `transition_refused` with `current_status`. Cancelling a cancelled order changes nothing and returns the order. If the loan provider cannot be asked about a loan for the order, the answer is 503.",
  takes: z.object({ params }),
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly correctAddress: CorrectAddress;
  readonly cancelOrder: CancelOrder;
  /** The hooks of the route that shows the order. They check its key. */
  readonly reading: onRequestHookHandler[];
  /** The hooks of the routes that change the order. They check its key and a rate limit. */
  readonly changing: onRequestHookHandler[];
}

/** The routes of `/api/orders/:id`, for a customer who presents the order's key. */
export function customerOrderRoutes(app: FastifyInstance, options: Options): void {
  const { db, correctAddress, cancelOrder, reading, changing } = options;
  const by = { kind: "customer" } as const;

  const showing = { method: "GET", path: paths.order, onRequest: reading } as const;
  route(app, showing, show, ({ params: { id } }, reply) => answerOrder(reply, db, id));

  const correcting = { method: "PATCH", path: paths.order, onRequest: changing } as const;
  route(app, correcting, correct, async ({ params: { id }, body }, reply) => {
    const { shipping_address: address, expected } = body;
    const outcome = await correctAddress({
      orderId: id,
      address,
      expected: expected?.shipping_address,
      by,
    });
    switch (outcome.kind) {
      case "corrected":
      case "unchanged":
        return answerOrder(reply, db, id);
      case "conflict":
        return sendProblem(reply, "order_changed", {
          detail: "The order's address is not the expected one. Nothing was stored.",
        });
      case "refused":
        return sendProblem(reply, "status_changed", {
          detail: `The address of an order that is ${outcome.status} cannot be corrected.`,
          current_status: outcome.status,
        });
      case "not-found":
        return sendNoOrderForKey(reply);
    }
  });

  const cancelling = { method: "POST", path: paths.cancellation, onRequest: changing } as const;
  route(app, cancelling, cancel, async ({ params: { id } }, reply) => {
    const outcome = await cancelOrder(id, by, { client: network(reply.request.ip) });
    switch (outcome.kind) {
      case "cancelled":
      case "unchanged":
        return answerOrder(reply, db, id);
      case "loan-active":
      case "paid":
      case "refused":
      case "overtaken":
      case "undecided":
      case "not-found":
        return sendNotCancelled(reply, outcome);
    }
  });
}

async function answerOrder(
  reply: FastifyReply,
  db: Queries,
  id: string,
): Promise<Order | FastifyReply> {
  return (await findOrder(db, id)) ?? sendNoOrderForKey(reply);
}

export function sendNotCancelled(reply: FastifyReply, why: NotCancelled): FastifyReply {
  switch (why.kind) {
    case "loan-active":
      return sendProblem(reply, "loan_active", {
        detail: "The order can be cancelled when the loan has ended without a payment.",
        current_status: why.status,
      });
    case "paid":
      return sendProblem(reply, "transition_refused", {
        detail: "A loan has been paid out for the order.",
        current_status: why.status,
      });
    case "refused":
      return sendProblem(reply, "transition_refused", {
        detail: `An order that is ${why.status} cannot be cancelled.`,
        current_status: why.status,
      });
    case "overtaken":
    case "undecided":
      return sendProblem(reply, "unavailable", {
        detail: "The loan provider cannot be asked about a loan for the order now.",
      });
    case "not-found":
      return sendNoOrderForKey(reply);
  }
}
