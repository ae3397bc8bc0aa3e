import { randomInt } from "node:crypto";
import type { FieldError, OrderStatus } from "@keepsats/domain";
import { type Problem, type ProblemCode, problemType } from "@keepsats/protocol";
import type { FastifyBaseLogger, FastifyReply } from "fastify";
import type * as z from "zod/mini";
import { isDatabaseUnavailable } from "../db/faults.ts";

const meanings: Record<ProblemCode, { status: number; title: string }> = {
  malformed: { status: 400, title: "The request is not well-formed" },
  unauthorized: { status: 401, title: "A valid token is needed" },
  forbidden: { status: 403, title: "This is not allowed from there" },
  not_found: { status: 404, title: "There is nothing here" },
  method_not_allowed: { status: 405, title: "This cannot be done with that method" },
  ambiguous_id: { status: 409, title: "Several orders begin like this" },
  status_changed: { status: 409, title: "The order has another status by now" },
  transition_refused: { status: 409, title: "The order cannot make this move" },
  too_large: { status: 413, title: "The request is too large" },
  wrong_type: { status: 415, title: "The body must be application/json" },
  invalid: { status: 422, title: "Something in the request is not valid" },
  idempotency_conflict: { status: 422, title: "The idempotency key was used before" },
  too_many: { status: 429, title: "Too many requests" },
  unavailable: { status: 503, title: "This cannot be answered right now" },
  internal: { status: 500, title: "Something went wrong on our side" },
};

/** What a problem may say besides its code. */
export interface ProblemDetails {
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly current_status?: OrderStatus | undefined;
}

/** Builds an RFC 9457 problem. */
export function problem(code: ProblemCode, { detail, errors, current_status }: ProblemDetails = {}): Problem {
  return {
    ...meanings[code],
    code,
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...(current_status === undefined ? {} : { current_status }),
  };
}

/** The most seconds after which who was answered 503 is to come again: not all in the same one. */
const LATEST_RETRY = 5;

/** What `Retry-After` says with a 503 for which nothing else is known, in seconds. */
export function retryAfter(): number {
  return randomInt(1, LATEST_RETRY + 1);
}

/** Answers with a problem; its HTTP status follows from its code. A 503 says when to ask again. */
export function sendProblem(reply: FastifyReply, code: ProblemCode, details?: ProblemDetails): FastifyReply {
  if (code === "unavailable" && !reply.hasHeader("Retry-After")) reply.header("Retry-After", retryAfter());
  return reply
    .code(meanings[code].status)
    .type(problemType)
    .header("Cache-Control", "no-store")
    .send(JSON.stringify(problem(code, details)));
}

/** Answers what a schema found wrong, field by field. */
export function sendInvalid(reply: FastifyReply, error: z.core.$ZodError): FastifyReply {
  if (error.issues.some(({ path, code }) => path.length === 0 && code === "invalid_type")) {
    return sendProblem(reply, "malformed", { detail: "The body must be a JSON object." });
  }
  const errors = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return sendProblem(reply, "invalid", { errors });
}

/** The problem that an error thrown while a request was handled amounts to. */
function problemOf(error: unknown): ProblemCode {
  if (isDatabaseUnavailable(error)) return "unavailable";
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  switch (status) {
    case 403:
    case 404:
      return "not_found";
    case 413:
      return "too_large";
    case 415:
      return "wrong_type";
    case 429:
      return "too_many";
    case 503:
      return "unavailable";
    default:
      return status >= 400 && status < 500 ? "malformed" : "internal";
  }
}

/** Faults of the server are logged whole and answered without detail. */
export function handleError(error: unknown, log: FastifyBaseLogger, reply: FastifyReply): FastifyReply {
  const code = problemOf(error);
  if (code === "internal") log.error({ err: error }, "a request failed");
  return sendProblem(reply, code);
}
