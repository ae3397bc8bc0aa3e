import { type Balances, formatMoneyIn } from "@keepsats/domain";
import { erasureAnswerSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { orderParams, orderRoute, sendUnknownOrder } from "../orders/index.ts";
import { actorOf } from "../staff/index.ts";
import type { EraseOrder } from "./erase-order.ts";

const operation = {
  operationId: "eraseOrder",
  summary: "Erase the personal data of a delivered or cancelled order",
  description:
    "Erases name, email, addresses, tracking and texts. Items, amounts, statuses and the journal stay. While its money must be refunded, accepted or written off, or a return of it is open, the answer is 409 not_erasable.",
  tag: "admin",
  permission: "orders:erase",
  takes: z.object({ params: orderParams }),
  answers: { 200: erasureAnswerSchema },
} satisfies Operation;

export function eraseOrderRoute(
  app: FastifyInstance,
  { db, eraseOrder }: { db: Queries; eraseOrder: EraseOrder },
): void {
  const endpoint = { method: "POST", path: paths.admin.erasure } as const;
  orderRoute(app, db, endpoint, operation, async ({ orderId: id }, reply) => {
    const outcome = await eraseOrder(id, actorOf(reply.request));
    switch (outcome.kind) {
      case "erased":
        return { id, erased_at: outcome.at };
      case "refused": {
        const { status } = outcome;
        const detail = `The order is ${status}: it can be erased once it is delivered or cancelled.`;
        return sendProblem(reply, "not_erasable", { detail, current_status: status });
      }
      case "open-return":
        return sendProblem(reply, "not_erasable", {
          detail: "A return of this order is open: refund or decline it first.",
          current_status: outcome.status,
        });
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

/** Returns the task that must be done before the order can be erased. */
function openMoneyText({ shop, others, unknownAmounts }: Balances): string {
  const due = [shop, ...others].flatMap(({ currency, refundDue }) =>
    refundDue > 0 ? formatMoneyIn(refundDue, currency) : [],
  );
  if (due.length > 0) return `${due.join(" and ")} must be refunded first.`;
  return unknownAmounts > 0
    ? "Money of an unknown amount must be refunded, accepted or written off first."
    : "Money must be refunded, accepted or written off first.";
}
