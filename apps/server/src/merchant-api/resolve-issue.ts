import { formatMoney } from "@keepsats/domain";
import { paths, paymentIssueSchema, resolutionRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import {
  type Books,
  findBooks,
  findIssue,
  idOfIssue,
  keyOfIssue,
  type ResolutionOutcome,
  type ResolveIssue,
  type StoredIssue,
} from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { issueAnswer } from "./issue-answer.ts";

const UNKNOWN = "No payment issue has this id.";

const params = z.object({
  id: z.codec(
    z.string().check(z.regex(/^[\w-]{1,600}$/)),
    z.object({ loanId: z.string(), orderId: z.string(), kind: z.string() }),
    {
      decode(text, context) {
        const key = keyOfIssue(text);
        if (key !== undefined) return key;
        context.issues.push({
          code: "custom",
          message: "is not an id of a payment issue",
          input: text,
        });
        return z.NEVER;
      },
      encode: idOfIssue,
    },
  ),
});

const show = {
  operationId: "showPaymentIssue",
  summary: "One payment issue",
  tag: "merchant",
  permission: "payments:read",
  takes: z.object({ params }),
  unknown: UNKNOWN,
  answers: { 200: paymentIssueSchema },
} satisfies Operation;

const resolve = {
  operationId: "resolvePaymentIssue",
  summary: "Resolve a payment issue",
  description:
    "`refunded` is refused with `amount_unknown` while its `amount` is null, and with `refund_due` until the recorded refunds of its order cover it. `accepted` is possible only for an `underpaid` loan that was paid out, while its order awaits payment.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params, body: resolutionRequestSchema }),
  unknown: UNKNOWN,
  answers: { 200: paymentIssueSchema },
} satisfies Operation;

export function issueRoutes(
  app: FastifyInstance,
  { db, resolveIssue }: { db: Queries; resolveIssue: ResolveIssue },
): void {
  const showPlace = { method: "GET", path: paths.merchant.paymentIssue } as const;
  route(app, showPlace, show, async ({ params: { id } }, reply) =>
    answer(reply, await findIssue(db, id), await findBooks(db, id.orderId)),
  );
  const resolvePlace = { method: "POST", path: paths.merchant.resolution } as const;
  route(app, resolvePlace, resolve, async ({ params, body }, reply) => {
    const { kind: resolution, note } = body;
    const by = actorOf(reply.request);
    return sendOutcome(reply, await resolveIssue({ ...params.id, resolution, note, by }));
  });
}

function answer(reply: FastifyReply, issue: StoredIssue | undefined, books?: Books) {
  const known = issue === undefined ? undefined : issueAnswer(issue, books);
  return known ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
}

function sendOutcome(reply: FastifyReply, outcome: ResolutionOutcome) {
  switch (outcome.kind) {
    case "resolved":
      return answer(reply, outcome.issue);
    case "not-found":
      return answer(reply, undefined);
    case "resolved-already": {
      const { resolution, resolved_by, resolution_note } = outcome.issue;
      const detail = `It was resolved as ${resolution} by ${resolved_by}: ${resolution_note}`;
      return sendProblem(reply, "resolved_already", { detail });
    }
    case "refund-due":
      return sendProblem(reply, "refund_due", {
        detail: `Record a refund of ${formatMoney(outcome.cents)} first.`,
        refund_due: outcome.cents,
      });
    case "amount-unknown":
      return sendProblem(reply, "amount_unknown", {
        detail:
          "The received amount is unknown. Wait until it is known, or dismiss the payment issue.",
      });
    case "too-late":
      return sendProblem(reply, "transition_refused", {
        detail: `The order is ${outcome.status}: it does not await payment.`,
        current_status: outcome.status,
      });
    case "refunded":
      return sendProblem(reply, "transition_refused", {
        detail: "Some of its money was refunded already, so it cannot pay the order.",
      });
    case "not-acceptable": {
      const message = "is possible only for an underpaid loan that was paid out";
      return sendProblem(reply, "invalid", { errors: [{ path: "kind", message }] });
    }
  }
}
