import { isApiError } from "@keepsats/client";

/** The secret of a sign-in link in the address `/sign-in#secret`. */
export function linkIn({ pathname, hash }: Pick<Location, "pathname" | "hash">) {
  return pathname === "/sign-in" && hash.length > 1 ? hash.slice(1) : undefined;
}

/** Whether the shop refuses a link or a passkey. */
export function isSignInRefused(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || error.status === 422);
}

export const LINK_REFUSED = "This link has expired or was already used. Ask for a new one.";

export function signInErrorText(error: unknown, by: "link" | "passkey"): string {
  if (!isApiError(error))
    return "The browser did not provide a passkey. Try again, or open a sign-in link.";
  if (error.status === undefined) return "The shop could not be reached. Try again in a moment.";
  if (error.status === 429) return "There were too many attempts. Wait a minute, then try again.";
  if (!isSignInRefused(error)) return "You could not be signed in. Try again in a moment.";
  return by === "link"
    ? LINK_REFUSED
    : "The shop does not know this passkey. Use another one, or a sign-in link.";
}
