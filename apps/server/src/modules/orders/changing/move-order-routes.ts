import { isStaffStatus, trackingUrlOf } from "@keepsats/domain";
import { orderMoveAnswerSchema, orderMoveSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { post } from "../../../platform/http/route.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { actorOf, isPermitted } from "../../staff/index.ts";
import { orderParams, orderRoute } from "../order-route.ts";
import type { OpenLoan, PaymentHooks } from "../payment-hooks.ts";
import type { Shipment } from "./change-status.ts";

const operation = {
  operationId: "moveOrder",
  summary: "Change the status of an order",
  description: [
    "An order that already has the status is not changed.",
    "- Shipped: `carrier`, `tracking_number` and `tracking_url` are for the customer. Without `tracking_url` the link is made from carrier and number, if the carrier is a known one. An order with an open payment issue `disputed` or `changed-after-payout` is shipped only with `despite_issue`, which needs the permission orders:write.",
    "- Cancelled: `message` is sent to the customer. The server first asks the loan provider about the order's loans; `open_loans` are those that may still be paid out. It needs the permission orders:write.",
  ].join("\n"),
  permission: "orders:pack",
  takes: z.object({ params: orderParams, body: orderMoveSchema }),
  answers: { 200: orderMoveAnswerSchema },
} satisfies Operation;

export function moveOrderRoute(
  app: FastifyInstance,
  db: Queries,
  moveOrder: PaymentHooks["moveOrder"],
): void {
  orderRoute(
    app,
    db,
    post(paths.admin.transitions),
    operation,
    async ({ orderId: id, body }, reply) => {
      const { to, reason, message, expected_status: expected, ...rest } = body;
      const { despite_issue: despiteIssue, ...shipment } = rest;
      const by = actorOf(reply.request);
      if (!isStaffStatus(to)) {
        const detail = `Only a loan can make an order ${to}.`;
        return new Refusal("transition_refused", { detail });
      }
      const mayDecide = isPermitted(reply.request, "orders:write");
      if (!mayDecide && (to === "Cancelled" || despiteIssue !== undefined))
        return new Refusal("permission_required");
      const outcome = await moveOrder({
        orderId: id,
        to,
        by,
        reason,
        message,
        expected,
        despiteIssue,
        ...(Object.keys(shipment).length === 0 ? {} : { shipment: withTrackingUrl(shipment) }),
      });
      switch (outcome.kind) {
        case "changed": {
          const { openLoans } = outcome;
          const answer = { id, status: to, changed: true };
          return to === "Cancelled" ? { ...answer, open_loans: openLoans.map(loanAnswer) } : answer;
        }
        case "unchanged":
          return { id, status: to, changed: false };
        case "open-issue":
          if (!mayDecide)
            return new Refusal("open_issue", {
              detail: "The order has an open payment issue. Staff must check it before it ships.",
            });
          return new Refusal("open_issue", {
            detail:
              "The loan provider reports a change of its payment. Check its payment issues before you ship. To ship anyway, send despite_issue.",
            payment_issues: outcome.issues.map(({ id, kind, detail }) => ({ id, kind, detail })),
          });
        case "refused":
          return outcome;
        case "not-found":
          return undefined;
      }
    },
  );
}

/** A link of the request has precedence over one that is made. */
function withTrackingUrl(shipment: Shipment): Shipment {
  return { ...shipment, tracking_url: shipment.tracking_url ?? trackingUrlOf(shipment) };
}

function loanAnswer({ id, providerStatus, state }: OpenLoan) {
  return { id, provider_status: providerStatus ?? null, state };
}
