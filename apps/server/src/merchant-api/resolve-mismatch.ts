import { formatMoney } from "@keepsats/domain";
import { mismatchSchema, paths, resolutionRequestSchema } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../db/database.ts";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import {
  type Books,
  findBooks,
  findMismatch,
  idOfMismatch,
  keyOfMismatch,
  type ResolutionOutcome,
  type ResolveMismatch,
  type StoredMismatch,
} from "../payments/index.ts";
import { actorOf } from "./actor-of.ts";
import { mismatchAnswer } from "./mismatch-answer.ts";

const UNKNOWN = "No mismatch has this id.";

const params = z.object({
  id: z.codec(
    z.string().check(z.regex(/^[\w-]{1,600}$/)),
    z.object({ contractId: z.string(), orderId: z.string(), kind: z.string() }),
    {
      decode(text, context) {
        const key = keyOfMismatch(text);
        if (key !== undefined) return key;
        context.issues.push({ code: "custom", message: "is not an id of a mismatch", input: text });
        return z.NEVER;
      },
      encode: idOfMismatch,
    },
  ),
});

const show = {
  operationId: "showMismatch",
  summary: "One mismatch",
  tag: "merchant",
  permission: "payments:read",
  takes: z.object({ params }),
  unknown: UNKNOWN,
  answers: { 200: mismatchSchema },
} satisfies Operation;

const resolve = {
  operationId: "resolveMismatch",
  summary: "Say how a mismatch was resolved",
  description:
    "`given_back` is refused with `amount_unknown` while its `amount` is null, and with `still_owed` until the recorded refunds of its order cover it. `accepted` is possible only for an `underpaid` contract that was paid out, while its order waits for money.",
  tag: "merchant",
  permission: "payments:write",
  takes: z.object({ params, body: resolutionRequestSchema }),
  unknown: UNKNOWN,
  answers: { 200: mismatchSchema },
} satisfies Operation;

export function mismatchRoutes(
  app: FastifyInstance,
  { db, resolveMismatch }: { db: Queries; resolveMismatch: ResolveMismatch },
): void {
  const showPlace = { method: "GET", path: paths.merchant.mismatch } as const;
  route(app, showPlace, show, async ({ params: { id } }, reply) =>
    answer(reply, await findMismatch(db, id), await findBooks(db, id.orderId)),
  );
  const resolvePlace = { method: "POST", path: paths.merchant.resolution } as const;
  route(app, resolvePlace, resolve, async ({ params, body }, reply) => {
    const { kind: resolution, note } = body;
    const by = actorOf(reply.request);
    return sendOutcome(reply, await resolveMismatch({ ...params.id, resolution, note, by }));
  });
}

function answer(reply: FastifyReply, mismatch: StoredMismatch | undefined, books?: Books) {
  const known = mismatch === undefined ? undefined : mismatchAnswer(mismatch, books);
  return known ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
}

function sendOutcome(reply: FastifyReply, outcome: ResolutionOutcome) {
  switch (outcome.kind) {
    case "resolved":
      return answer(reply, outcome.mismatch);
    case "not-found":
      return answer(reply, undefined);
    case "resolved-already": {
      const { resolution, resolved_by, resolution_note } = outcome.mismatch;
      const detail = `It was resolved as ${resolution} by ${resolved_by}: ${resolution_note}`;
      return sendProblem(reply, "resolved_already", { detail });
    }
    case "still-owed":
      return sendProblem(reply, "still_owed", {
        detail: `Record a refund of ${formatMoney(outcome.cents)} first.`,
        owed: outcome.cents,
      });
    case "amount-unknown":
      return sendProblem(reply, "amount_unknown", {
        detail:
          "The shop does not know that money has come in by it, or how much. Wait until its amount is known, or explain it.",
      });
    case "too-late":
      return sendProblem(reply, "transition_refused", {
        detail: `The order is ${outcome.status}: it does not wait for money.`,
        current_status: outcome.status,
      });
    case "given-back":
      return sendProblem(reply, "transition_refused", {
        detail: "Some of its money was given back already, so it cannot pay the order.",
      });
    case "not-acceptable": {
      const message = "is possible only for an underpaid contract that was paid out";
      return sendProblem(reply, "invalid", { errors: [{ path: "kind", message }] });
    }
  }
}
