import { isApiError } from "@keepsats/client";

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && error.status === 401;
}

/** Whether an error says that the shop has refused a request, so that nothing of it is stored. */
export function isRefused(error: unknown): boolean {
  return (
    isApiError(error) && error.status !== undefined && error.status >= 400 && error.status < 500
  );
}

/** What an error says in one sentence for staff. */
export function failureText(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Nothing was changed that you do not see here.";
  const { problem } = error;
  const fields = problem?.errors?.map(({ path, message }) => `${path} ${message}`).join("; ");
  return fields || problem?.detail || problem?.title || `The shop answered ${error.status}.`;
}

/** What an error says in one sentence where something was only read. */
export function readFailureText(error: unknown): string {
  const isAway = !isApiError(error) || error.status === undefined;
  return isAway ? "The shop could not be reached. Try again in a moment." : failureText(error);
}
