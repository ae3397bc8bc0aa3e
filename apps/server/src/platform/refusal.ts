import type { FieldError } from "@keepsats/domain";
import type { Problem, ProblemCode } from "@keepsats/protocol";

/** Amounts are in cents. */
export interface ProblemDetails
  extends Partial<Omit<Problem, "title" | "status" | "code" | "errors">> {
  readonly errors?: readonly FieldError[] | undefined;
}

/**
 * An outcome that has changed nothing, with the problem that the request is answered with. A use
 * case returns it, and its route passes it on.
 */
export class Refusal {
  readonly kind = "refused";
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    this.code = code;
    this.details = details;
  }
}

/** An earlier request used the idempotency key, such as `for a different note on this order`. */
export function idempotencyConflict(use: string): Refusal {
  return new Refusal("idempotency_conflict", { detail: `This Idempotency-Key was used ${use}.` });
}

/** These fields no longer have the values that a change expects. */
export function changedSinceRead(
  subject: "item" | "order" | "webhook",
  fields: readonly string[],
): Refusal {
  return new Refusal(`${subject}_changed`, {
    detail: `Changed since it was read: ${fields.join(", ")}. Nothing was stored. Read the ${subject} again.`,
  });
}
