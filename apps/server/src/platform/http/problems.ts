import { type ProblemCode, problemSchema, problemType } from "@keepsats/protocol";
import type { FastifyBaseLogger, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { isDatabaseUnavailable } from "../database/faults.ts";
import type { ProblemDetails, Refusal } from "../refusal.ts";

const problems: Record<ProblemCode, { status: number; title: string }> = {
  malformed: { status: 400, title: "The request is malformed" },
  unauthorized: { status: 401, title: "A valid token, key or session is required" },
  sign_in_refused: { status: 401, title: "The sign-in is invalid or has expired" },
  forbidden: { status: 403, title: "Requests from this origin are not allowed" },
  wrong_origin: { status: 403, title: "Only pages of the admin may do this" },
  permission_required: { status: 403, title: "Your role does not allow this" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method is not allowed" },
  ambiguous_id: { status: 409, title: "Several orders match this id prefix" },
  name_taken: { status: 409, title: "The name is in use" },
  status_changed: { status: 409, title: "The order's status has changed" },
  settings_changed: { status: 409, title: "The shop settings have changed" },
  transition_refused: { status: 409, title: "The status change is not allowed" },
  correction_refused: { status: 409, title: "This cannot be corrected in the current status" },
  not_erasable: { status: 409, title: "The personal data of this order is still needed" },
  not_returnable: { status: 409, title: "A return is not possible for this order" },
  return_changed: { status: 409, title: "The return has changed" },
  item_changed: { status: 409, title: "The item has changed" },
  categories_changed: { status: 409, title: "The categories have changed" },
  order_changed: { status: 409, title: "The order has changed" },
  out_of_stock: { status: 409, title: "Not enough stock" },
  price_changed: { status: 409, title: "The prices have changed" },
  loan_active: { status: 409, title: "A loan for the order is active" },
  open_issue: { status: 409, title: "The order has an open payment issue" },
  refunds_changed: { status: 409, title: "The refunds have changed" },
  not_grantable: { status: 409, title: "A refund cannot be granted for this order" },
  more_than_refundable: { status: 409, title: "The amount exceeds the refundable amount" },
  refund_due: { status: 409, title: "Money that is due must be refunded first" },
  amount_unknown: { status: 409, title: "The received amount is unknown" },
  nothing_refunded: { status: 409, title: "No refund was recorded" },
  not_acceptable: { status: 409, title: "There is no money to accept" },
  nothing_to_write_off: { status: 409, title: "There is nothing to write off" },
  money_open: {
    status: 409,
    title: "The money of the payment issue must be refunded, accepted or written off first",
  },
  not_resolved: { status: 409, title: "The payment issue is open" },
  refund_stands: { status: 409, title: "The refund must be reversed first" },
  nothing_open: { status: 409, title: "The payment issue has no open money" },
  reversed_already: { status: 409, title: "The refund is already reversed" },
  resolved_already: { status: 409, title: "The payment issue is already resolved" },
  mail_off: { status: 409, title: "The shop sends no email" },
  mail_server_refused: { status: 409, title: "The mail server cannot be used" },
  admin_off: { status: 409, title: "The shop has no admin" },
  webhook_off: { status: 409, title: "The webhook is switched off" },
  webhook_changed: { status: 409, title: "The webhook has changed" },
  too_large: { status: 413, title: "The request is too large" },
  wrong_type: { status: 415, title: "The body must be application/json" },
  invalid: { status: 422, title: "The request has invalid fields" },
  idempotency_conflict: { status: 422, title: "The idempotency key was used for another request" },
  too_many: { status: 429, title: "Too many requests" },
  unavailable: { status: 503, title: "The service is temporarily unavailable" },
  internal: { status: 500, title: "Internal error" },
};

/** An RFC 9457 problem in its wire format. */
export function problem(
  code: ProblemCode,
  { errors, ...details }: ProblemDetails = {},
): z.input<typeof problemSchema> {
  return z.encode(problemSchema, {
    ...problems[code],
    code,
    ...details,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  });
}

/** The maximum of a `Retry-After` in seconds; random, so that not all clients retry at once. */
const MAX_RETRY_AFTER = 5;

/** For a 503 without a better estimate. */
export function retryAfter(): number {
  return 1 + Math.floor(Math.random() * MAX_RETRY_AFTER);
}

/** Answers with a problem, with the status of its code. A 503 has a `Retry-After`. */
export function sendProblem(
  reply: FastifyReply,
  code: ProblemCode,
  details?: ProblemDetails,
): FastifyReply {
  if (code === "unavailable" && !reply.hasHeader("Retry-After"))
    reply.header("Retry-After", retryAfter());
  return reply
    .code(problems[code].status)
    .type(problemType)
    .header("Cache-Control", "no-store")
    .send(JSON.stringify(problem(code, details)));
}

export function sendRefusal(reply: FastifyReply, { code, details }: Refusal): FastifyReply {
  return sendProblem(reply, code, details);
}

/** Answers 429 with a `Retry-After`. */
export function sendTooMany(reply: FastifyReply, seconds: number): FastifyReply {
  return sendProblem(reply.header("Retry-After", seconds), "too_many");
}

type Fault = Pick<z.core.$ZodIssue, "code" | "path" | "message">;

/** Answers with the errors of a schema, by field; as malformed if the body is not an object. */
export function sendInvalid(reply: FastifyReply, faults: readonly Fault[]): FastifyReply {
  if (faults.some(({ path, code }) => path.length === 0 && code === "invalid_type")) {
    return sendProblem(reply, "malformed", { detail: "The body must be a JSON object." });
  }
  const errors = faults.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return sendProblem(reply, "invalid", { errors });
}

/** The code of the problem for an error that a handler has thrown. */
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

/** Errors of the server itself are logged in full and answered without detail. */
export function handleError(
  error: unknown,
  log: FastifyBaseLogger,
  reply: FastifyReply,
): FastifyReply {
  const code = problemOf(error);
  if (code === "internal") log.error({ err: error }, "a request failed");
  return sendProblem(reply, code);
}
