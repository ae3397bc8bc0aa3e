import { isApiError } from "@keepsats/client";

export const LINK_REFUSED = "This link has expired or was already used. Ask for a new one.";

/** Whether the shop refuses a link or a passkey. */
export function isSignInRefused(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || error.status === 422);
}

/** Says why a sign-in has failed and what helps. @param error what the sign-in threw */
export function refusalText(error: unknown, by: "link" | "passkey"): string {
  if (!isApiError(error)) return "The browser gave no passkey. Try again, or open a sign-in link.";
  if (error.status === undefined) return "The shop could not be reached. Try again in a moment.";
  if (error.status === 429) return "There were too many attempts. Wait a minute, then try again.";
  if (!isSignInRefused(error)) return "You could not be signed in. Try again in a moment.";
  return by === "link"
    ? LINK_REFUSED
    : "The shop does not know this passkey. Use another one, or a sign-in link.";
}
