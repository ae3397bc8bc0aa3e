import * as z from "zod/mini";
import { statusTextSchema } from "./orders.ts";

/** The media type of every error answer (RFC 9457). */
export const problemType = "application/problem+json";

/** The machine-readable kind of the error. */
export const problemCodes = [
  "malformed",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "ambiguous_id",
  "status_changed",
  "transition_refused",
  "too_large",
  "wrong_type",
  "invalid",
  "idempotency_conflict",
  "too_many",
  "unavailable",
  "internal",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** An error answer: `detail` is a sentence for a person, `errors` says which fields are wrong and why. */
export const problemSchema = z.object({
  title: z.string(),
  status: z.int(),
  code: z.enum(problemCodes),
  detail: z.optional(z.string()),
  /** The order's current status, if it is not the expected one. */
  current_status: z.optional(statusTextSchema),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.output<typeof problemSchema>;
