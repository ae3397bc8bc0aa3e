import { awaitsPayment } from "@keepsats/domain";
import {
  correctOrderSchema,
  paths,
  returnRequestSchema,
  subscribedOrderSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, onRequestHookHandler } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import { type Operation, storedId } from "../../platform/http/operation.ts";
import { get, patch, post, route } from "../../platform/http/route.ts";
import { networkOf } from "../../platform/rate-limit/limit.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Corrections } from "./changing/correct-order.ts";
import { noOrderForKey } from "./keys/check-order-key.ts";
import { findOrder } from "./order-repository.ts";
import type { PaymentHooks } from "./payment-hooks.ts";
import { type Returns, UNKNOWN_RETURN } from "./returns/returns.ts";

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

interface Options extends Pick<PaymentHooks, "cancelOrder" | "refundedFor"> {
  readonly db: Queries;
  readonly correctAddress: Corrections["correctAddress"];
  readonly returns: Pick<Returns, "open" | "move" | "forCustomers">;
  /** The hooks of the route that shows the order. They check its key. */
  readonly onRead: onRequestHookHandler[];
  /** The hooks of the routes that change the order. They check its key and a rate limit. */
  readonly onChange: onRequestHookHandler[];
}

/** The routes of `/api/orders/:id`, for a customer who presents the order's key. */
export function customerOrderRoutes(app: FastifyInstance, options: Options): void {
  const { correctAddress, cancelOrder, returns, onRead, onChange } = options;
  const by = { kind: "customer" } as const;

  /** Answers a change with the order after it, or with why it was refused. */
  const answerChanged = async (outcome: { readonly kind: string } | undefined, id: string) =>
    outcome instanceof Refusal ? outcome : answerOrder(options, id);

  route(app, get(paths.order, onRead), show, ({ params: { id } }) => answerOrder(options, id));

  route(app, patch(paths.order, onChange), correct, async ({ params: { id }, body }) => {
    const { shipping_address: address, expected } = body;
    const outcome = await correctAddress({
      orderId: id,
      address,
      expected: expected?.shipping_address,
      by,
    });
    return answerChanged(outcome?.kind === "refused" ? refusalForCustomers(outcome) : outcome, id);
  });

  route(app, post(paths.cancellation, onChange), cancel, async ({ params: { id } }, reply) => {
    const outcome = await cancelOrder(id, by, { client: networkOf(reply.request.ip) });
    return answerChanged(outcome, id);
  });

  route(
    app,
    post(paths.customerReturns, onChange),
    requestReturn,
    async ({ params: { id }, body }) =>
      answerChanged(await returns.open({ orderId: id, ...body, by }), id),
  );

  route(
    app,
    post(paths.returnWithdrawal, onChange),
    withdrawReturn,
    async ({ params: { id, returnId } }) =>
      answerChanged(await returns.move({ orderId: id, returnId, to: "withdrawn", by }), id),
  );
}

/** How customers read the refusal of a corrected address. */
function refusalForCustomers({ code, details: { current_status } }: Refusal): Refusal {
  if (code === "order_changed")
    return new Refusal(code, {
      detail: "The order's address is not the expected one. Nothing was stored.",
    });
  const detail = `The address of an order that is ${current_status} cannot be corrected.`;
  return new Refusal("status_changed", { detail, current_status });
}

async function answerOrder(
  { db, refundedFor, returns }: Pick<Options, "db" | "refundedFor" | "returns">,
  id: string,
) {
  const order = await findOrder(db, id);
  if (order === undefined) return noOrderForKey;
  const refunded = awaitsPayment(order.status) ? undefined : (await refundedFor(db, [id])).get(id);
  return { ...order, refunded, ...(await returns.forCustomers(db, [order])).get(id) };
}
