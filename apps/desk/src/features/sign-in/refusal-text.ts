import { isApiError } from "../../lib/api.ts";

const refused = {
  link: "This link was used already, or it is older than ten minutes. Ask for a new one.",
  passkey: "The shop does not know this passkey. Use another one, or a sign-in link.",
} as const;

/** Says why a sign-in has failed and what helps. @param error what the sign-in threw */
export function refusalText(error: unknown, by: keyof typeof refused): string {
  if (!isApiError(error)) return "The browser gave no passkey. Try again, or open a sign-in link.";
  if (error.status === undefined) return "The shop could not be reached. Try again in a moment.";
  if (error.status === 429) return "There were too many attempts. Wait a minute, then try again.";
  if (error.status === 401 || error.status === 422) return refused[by];
  return "You could not be signed in. Try again in a moment.";
}
