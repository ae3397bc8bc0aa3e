import { type Balances, formatMoneyIn } from "@keepsats/domain";
import { erasureAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { EraseOrder } from "../privacy/erase-order.ts";
import { actorOf } from "./actor-of.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./order-reference.ts";

const operation = {
  operationId: "eraseOrder",
  summary: "Erase name, e-mail, addresses and texts of a delivered or cancelled order",
  tag: "merchant",
  permission: "orders:erase",
  takes: z.object({ params: orderParams }),
  answers: { 200: erasureAnswerSchema },
} satisfies Operation;

export function eraseOrderRoute(
  app: FastifyInstance,
  { db, eraseOrder }: { db: Queries; eraseOrder: EraseOrder },
): void {
  const place = { method: "POST", path: paths.merchant.erasure } as const;
  route(app, place, operation, async ({ params }, reply) => {
    const id = await resolveOrder(reply, db, params.id);
    if (id === undefined) return reply;
    const outcome = await eraseOrder(id, actorOf(reply.request));
    switch (outcome.kind) {
      case "erased":
        return { id, erased_at: outcome.at };
      case "refused": {
        const { status } = outcome;
        const detail = `The order is ${status}: it can be erased once it is delivered or cancelled.`;
        return sendProblem(reply, "not_erasable", { detail, current_status: status });
      }
      case "open-money": {
        const { status, balances } = outcome;
        return sendProblem(reply, "not_erasable", {
          detail: openMoneyText(balances),
          current_status: status,
          refund_due: balances.shop.refundDue,
        });
      }
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}

/** Says what must be done about the money of an order before it is erased. */
function openMoneyText({ shop, others, unknownAmounts }: Balances): string {
  const due = [shop, ...others].flatMap(({ currency, refundDue }) =>
    refundDue > 0 ? formatMoneyIn(refundDue, currency) : [],
  );
  if (due.length > 0) return `${due.join(" and ")} must be refunded first.`;
  return unknownAmounts > 0
    ? "Money of an unknown amount must be refunded, accepted or written off first."
    : "Its money must be decided about first.";
}
