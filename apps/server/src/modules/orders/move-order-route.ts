import { isStaffStatus } from "@keepsats/domain";
import { paths, transitionAnswerSchema, transitionRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { actorOf } from "../staff/index.ts";
import type { MoveOrder, OpenLoan } from "./payment-hooks.ts";
import { orderParams, resolveOrder, sendUnknownOrder } from "./resolve-order.ts";

const operation = {
  operationId: "moveOrder",
  summary: "Change the status of an order",
  description:
    "`message` is sent to the customer of a cancelled order; `carrier`, `tracking_number` and `tracking_url` are for an order that becomes Shipped. An order with an open payment issue `disputed` or `changed-after-payout` is shipped only with `despite_issue`. Before an order is cancelled, the loan provider is asked about its loans; `open_loans` are those that may still be paid out. An order that already has the status is not changed.",
  tag: "admin",
  permission: "orders:write",
  takes: z.object({ params: orderParams, body: transitionRequestSchema }),
  answers: { 200: transitionAnswerSchema },
} satisfies Operation;

export function moveOrderRoute(
  app: FastifyInstance,
  { db, moveOrder }: { db: Queries; moveOrder: MoveOrder },
): void {
  const place = { method: "POST", path: paths.admin.transitions } as const;
  route(app, place, operation, async ({ params, body }, reply) => {
    const { to, reason, message, expected_status: expected, ...rest } = body;
    const { despite_issue: despiteIssue, ...shipment } = rest;
    const by = actorOf(reply.request);
    if (!isStaffStatus(to)) {
      const detail = `Only the loan provider can make an order ${to}.`;
      return sendProblem(reply, "transition_refused", { detail });
    }
    const id = await resolveOrder(reply, db, params.id);
    if (id === undefined) return reply;
    const outcome = await moveOrder({
      orderId: id,
      to,
      by,
      reason,
      message,
      expected,
      despiteIssue,
      ...(Object.keys(shipment).length === 0 ? {} : { shipment }),
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
        return sendProblem(reply, "open_issue", {
          detail:
            "The loan provider reports a change of its payment. Check its payment issues before you ship. To ship anyway, send despite_issue.",
          payment_issues: outcome.issues.map(({ id, kind, detail }) => ({ id, kind, detail })),
        });
      case "refused":
        return sendProblem(reply, "transition_refused", {
          detail: `An order that is ${outcome.from} cannot become ${to}.`,
        });
      case "overtaken":
        return sendProblem(reply, "status_changed", {
          detail: `The order is ${outcome.from} now.`,
          current_status: outcome.from,
        });
      case "not-found":
        return sendUnknownOrder(reply);
    }
  });
}

function loanAnswer({ id, providerStatus, state }: OpenLoan) {
  return { id, provider_status: providerStatus ?? null, state };
}
