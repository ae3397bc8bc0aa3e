import { randomInt } from "node:crypto";
import type { FieldError } from "@keepsats/domain";
import { type Problem, type ProblemCode, problemSchema, problemType } from "@keepsats/protocol";
import type { FastifyBaseLogger, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { isDatabaseUnavailable } from "../db/faults.ts";

const meanings: Record<ProblemCode, { status: number; title: string }> = {
  malformed: { status: 400, title: "The request is not well-formed" },
  unauthorized: { status: 401, title: "A valid token, key or session is required" },
  sign_in_refused: { status: 401, title: "This sign-in is not valid, or not valid any more" },
  forbidden: { status: 403, title: "Requests from this origin are not allowed" },
  wrong_origin: { status: 403, title: "Only the desk's own pages may do this" },
  permission_required: { status: 403, title: "Your role does not allow this" },
  not_found: { status: 404, title: "There is nothing here" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  ambiguous_id: { status: 409, title: "Several orders match this beginning of an id" },
  name_taken: { status: 409, title: "The name is in use already" },
  status_changed: { status: 409, title: "The order's status has changed" },
  settings_changed: { status: 409, title: "The shop settings have changed" },
  transition_refused: { status: 409, title: "The order cannot make this move" },
  correction_refused: { status: 409, title: "This cannot be corrected in the order's status" },
  not_erasable: { status: 409, title: "The personal data of this order is still needed" },
  item_changed: { status: 409, title: "The item has changed" },
  order_changed: { status: 409, title: "The order has changed" },
  out_of_stock: { status: 409, title: "Too few pieces are left" },
  price_changed: { status: 409, title: "The order costs something else now" },
  loan_under_way: { status: 409, title: "A loan for the order is under way" },
  open_issue: { status: 409, title: "The order has a payment issue to look at first" },
  refunds_changed: { status: 409, title: "The refunds have changed" },
  more_than_refundable: { status: 409, title: "This is more than may be refunded" },
  refund_due: { status: 409, title: "Its money must be refunded first" },
  amount_unknown: { status: 409, title: "The amount of its money is not known" },
  nothing_refunded: { status: 409, title: "No refund was recorded" },
  not_acceptable: { status: 409, title: "There is no money to accept" },
  nothing_to_write_off: { status: 409, title: "There is nothing to write off" },
  money_open: { status: 409, title: "Its money must be refunded, accepted or written off first" },
  not_resolved: { status: 409, title: "The payment issue is open" },
  refund_stands: { status: 409, title: "The refund must be reversed first" },
  nothing_open: { status: 409, title: "There is nothing to decide about any more" },
  reversed_already: { status: 409, title: "The refund was reversed already" },
  resolved_already: { status: 409, title: "The payment issue was resolved already" },
  mail_off: { status: 409, title: "The shop sends no mail" },
  desk_off: { status: 409, title: "The shop has no desk" },
  webhook_off: { status: 409, title: "The webhook is switched off" },
  webhook_changed: { status: 409, title: "The webhook has changed" },
  too_large: { status: 413, title: "The request is too large" },
  wrong_type: { status: 415, title: "The body must be application/json" },
  invalid: { status: 422, title: "The request has invalid fields" },
  idempotency_conflict: { status: 422, title: "The idempotency key was used before" },
  too_many: { status: 429, title: "Too many requests" },
  unavailable: { status: 503, title: "The service is unavailable right now" },
  internal: { status: 500, title: "Something went wrong on our side" },
};

/** The optional fields of a problem; amounts in cents. */
export interface ProblemDetails
  extends Partial<Omit<Problem, "title" | "status" | "code" | "errors">> {
  readonly errors?: readonly FieldError[] | undefined;
}

/** Builds an RFC 9457 problem as it is sent. */
export function problem(
  code: ProblemCode,
  { errors, ...details }: ProblemDetails = {},
): z.input<typeof problemSchema> {
  return z.encode(problemSchema, {
    ...meanings[code],
    code,
    ...details,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  });
}

/**
 * The maximum of a random `Retry-After` in seconds. It is random, so that not all clients retry at
 * once.
 */
const LATEST_RETRY = 5;

/** A random `Retry-After` for a 503 without a better estimate, in seconds. */
export function retryAfter(): number {
  return randomInt(1, LATEST_RETRY + 1);
}

/** Answers with a problem; its code determines the HTTP status. A 503 has a `Retry-After`. */
export function sendProblem(
  reply: FastifyReply,
  code: ProblemCode,
  details?: ProblemDetails,
): FastifyReply {
  if (code === "unavailable" && !reply.hasHeader("Retry-After"))
    reply.header("Retry-After", retryAfter());
  return reply
    .code(meanings[code].status)
    .type(problemType)
    .header("Cache-Control", "no-store")
    .send(JSON.stringify(problem(code, details)));
}

/** Answers 429: the next request is allowed after a number of seconds. */
export function sendTooMany(reply: FastifyReply, seconds: number): FastifyReply {
  return sendProblem(reply.header("Retry-After", seconds), "too_many");
}

/** One error that a schema has found. */
type Fault = Pick<z.core.$ZodIssue, "code" | "path" | "message">;

/**
 * Answers the errors of a schema, field by field. A body that is not an object is answered as
 * malformed.
 */
export function sendInvalid(reply: FastifyReply, faults: readonly Fault[]): FastifyReply {
  if (faults.some(({ path, code }) => path.length === 0 && code === "invalid_type")) {
    return sendProblem(reply, "malformed", { detail: "The body must be a JSON object." });
  }
  const errors = faults.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return sendProblem(reply, "invalid", { errors });
}

/** Maps an error that was thrown while a request was handled to the code of a problem. */
function problemOf(error: unknown): ProblemCode {
  if (isDatabaseUnavailable(error)) return "unavailable";
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  switch (status) {
    case 401:
      return "unauthorized";
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

/**
 * Answers an error. An error of the server itself is logged in full and answered without detail.
 */
export function handleError(
  error: unknown,
  log: FastifyBaseLogger,
  reply: FastifyReply,
): FastifyReply {
  const code = problemOf(error);
  if (code === "internal") log.error({ err: error }, "a request failed");
  return sendProblem(reply, code);
}
