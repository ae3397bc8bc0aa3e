import { isApiError } from "@keepsats/client";

/** The parts of the browser's window that {@link takeLink} needs. */
interface Browser {
  readonly location: { readonly pathname: string; readonly hash: string };
  readonly history: { replaceState(state: null, title: string, url: string): void };
}

/** Removes the secret of a sign-in link from the address `/sign-in#secret` and returns it. */
export function takeLink({ location, history }: Browser): string | undefined {
  const secret = location.hash.slice(1);
  if (location.pathname !== "/sign-in" || secret === "") return undefined;
  history.replaceState(null, "", location.pathname);
  return secret;
}

/** Whether the shop refuses a link or a passkey. */
export function isSignInRefused(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || error.status === 422);
}

const UNREACHABLE = "The shop could not be reached. Try again in a moment.";
export const LINK_REFUSED = "This link has expired or was already used. Ask for a new one.";

export function signInErrorText(error: unknown, by: "link" | "passkey"): string {
  if (!isApiError(error))
    return "The browser did not provide a passkey. Try again, or open a sign-in link.";
  if (error.status === undefined) return UNREACHABLE;
  if (error.status === 429) return "There were too many attempts. Wait a minute, then try again.";
  if (!isSignInRefused(error)) return "You could not be signed in. Try again in a moment.";
  return by === "link"
    ? LINK_REFUSED
    : "The shop does not know this passkey. Use another one, or a sign-in link.";
}

/** Why no sign-in link was emailed. */
export function linkEmailErrorText(error: unknown): string {
  if (!isApiError(error) || error.status === undefined) return UNREACHABLE;
  if (error.status === 429)
    return "Too many links were requested. Check your inbox, or wait ten minutes.";
  if (error.status === 422) return "Email is invalid";
  if (error.status === 409) return "This shop does not email sign-in links. Ask an owner for one.";
  return "No link was sent. Try again in a moment.";
}
