import { orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";

/** The media type of every error answer (RFC 9457). */
export const problemType = "application/problem+json";

/** What went wrong, for programs. */
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
  /** What the order is now, where it is not what was expected. */
  current_status: z.optional(z.enum(orderStatuses)),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.output<typeof problemSchema>;
