import { isApiError } from "@keepsats/client";
import type { Problem } from "@keepsats/protocol";

/** `undefined` if the shop gave no answer, or a proxy answered. */
export function problemOf(error: unknown): Problem | undefined {
  return isApiError(error) ? error.problem : undefined;
}

/**
 * Explains the failures that all changes of an order have.
 *
 * @param failed such as `The order could not be cancelled.`
 * @param assurance added if the outcome is unknown
 */
export function failureText(error: unknown, failed: string, assurance = ""): string {
  if (!isApiError(error) || error.status === undefined)
    return `The shop could not be reached. Please try again. ${assurance}`.trimEnd();
  switch (error.problem?.code) {
    case "not_found":
      return "This link does not open the order. Please open the full link to your order.";
    case "too_many":
      return "Too many attempts. Please wait a minute, then try again.";
    default:
      return `${failed} Please try again.`;
  }
}
