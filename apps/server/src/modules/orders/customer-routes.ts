import { awaitsPayment } from "@keepsats/domain";
import {
  correctOrderSchema,
  paths,
  returnRequestSchema,
  subscribedOrderSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import { type Operation, storedId } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { networkOf } from "../../platform/rate-limit/limit.ts";
import { sendNoOrderForKey } from "./check-order-key.ts";
import type { CorrectAddress } from "./correct-order.ts";
import { findOrder } from "./order-repository.ts";
import type { CancelOrder, NotCancelled, RefundedFor } from "./payment-hooks.ts";
import type { Returns } from "./returns/returns.ts";
import { sendNotReturnable, sendReturnChanged, UNKNOWN_RETURN } from "./returns/routes.ts";

/** The id of an order, in upper or lower case. */
export const anyCaseOrderIdSchema = z.pipe(
  z.string().check(z.meta({ minLength: 36, maxLength: 36, pattern: "^[0-9A-Fa-f-]*$" })),
  z.transform((id: string) => id.toLowerCase()),
);

const params = z.object({ id: anyCaseOrderIdSchema });

/** Each of these routes needs the order's key. */
const withOrderKey = {
  auth: "orderKey",
  answers: { 200: subscribedOrderSchema },
} as const satisfies Partial<Operation>;

const show = {
  ...withOrderKey,
  operationId: "showCustomerOrder",
  summary: "Get the order of a customer, by its key",
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

const requestReturn = {
  ...withOrderKey,
  operationId: "requestReturn",
  summary: "Request a return of a delivered order",
  description:
    "Possible within the return period after delivery, while no other request awaits an answer, for pieces that are in no other return or refund. Otherwise the answer is 409 not_returnable, or 422 with the lines.",
  takes: z.object({ params, body: returnRequestSchema }),
} satisfies Operation;

const withdrawReturn = {
  ...withOrderKey,
  operationId: "withdrawReturn",
  summary: "Withdraw a requested return",
  description:
    "Possible until the shop has answered; after that the answer is 409 return_changed. Withdrawing it again changes nothing and returns the order.",
  takes: z.object({ params: z.extend(params, { returnId: storedId }) }),
  notFoundDetail: UNKNOWN_RETURN,
} satisfies Operation;

interface Options {
  readonly db: Queries;
  readonly correctAddress: CorrectAddress;
  readonly cancelOrder: CancelOrder;
  readonly refundedFor: RefundedFor;
  readonly returns: Pick<Returns, "request" | "withdraw" | "forCustomers">;
  /** The hooks of the route that shows the order. They check its key. */
  readonly readHooks: onRequestHookHandler[];
  /** The hooks of the routes that change the order. They check its key and a rate limit. */
  readonly changeHooks: onRequestHookHandler[];
}

/** The routes of `/api/orders/:id`, for a customer who presents the order's key. */
export function customerOrderRoutes(app: FastifyInstance, options: Options): void {
  const { correctAddress, cancelOrder, returns, readHooks, changeHooks } = options;
  const by = { kind: "customer" } as const;

  const showEndpoint = { method: "GET", path: paths.order, onRequest: readHooks } as const;
  route(app, showEndpoint, show, ({ params: { id } }, reply) => answerOrder(reply, options, id));

  const correctEndpoint = { method: "PATCH", path: paths.order, onRequest: changeHooks } as const;
  route(app, correctEndpoint, correct, async ({ params: { id }, body }, reply) => {
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
        return answerOrder(reply, options, id);
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

  const post = (path: string) => ({ method: "POST", path, onRequest: changeHooks }) as const;
  route(app, post(paths.cancellation), cancel, async ({ params: { id } }, reply) => {
    const outcome = await cancelOrder(id, by, { client: networkOf(reply.request.ip) });
    return outcome.kind === "cancelled" || outcome.kind === "unchanged"
      ? answerOrder(reply, options, id)
      : sendNotCancelled(reply, outcome);
  });

  route(
    app,
    post(paths.customerReturns),
    requestReturn,
    async ({ params: { id }, body }, reply) => {
      const outcome = await returns.request({ orderId: id, ...body });
      if (outcome.kind === "opened") return answerOrder(reply, options, id);
      if (outcome.kind === "not-found") return sendNoOrderForKey(reply);
      return sendNotReturnable(reply, outcome);
    },
  );

  route(app, post(paths.returnWithdrawal), withdrawReturn, async ({ params }, reply) => {
    const { id, returnId } = params;
    const outcome = await returns.withdraw(id, returnId);
    switch (outcome.kind) {
      case "moved":
      case "unchanged":
        return answerOrder(reply, options, id);
      case "state-changed":
      case "refused":
        return sendReturnChanged(reply, outcome, "withdrawn");
      case "wrong-lines":
        return sendNotReturnable(reply, outcome);
      case "unknown-return":
        return sendProblem(reply, "not_found", { detail: UNKNOWN_RETURN });
      case "not-found":
        return sendNoOrderForKey(reply);
    }
  });
}

async function answerOrder(
  reply: FastifyReply,
  { db, refundedFor, returns }: Pick<Options, "db" | "refundedFor" | "returns">,
  id: string,
) {
  const order = await findOrder(db, id);
  if (order === undefined) return sendNoOrderForKey(reply);
  const refunded = awaitsPayment(order.status) ? undefined : (await refundedFor(db, [id])).get(id);
  return { ...order, refunded, ...(await returns.forCustomers(db, [order])).get(id) };
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
    case "version-changed":
      throw new Error("a customer's cancellation expects no version");
    case "undecided":
      return sendProblem(reply, "unavailable", {
        detail: "The loan provider cannot be asked about a loan for the order now.",
      });
    case "not-found":
      return sendNoOrderForKey(reply);
  }
}
