import { backoff, call } from "@keepsats/client";
import { type CurrentUser, currentUserSchema, shopPaths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";

/** Without jitter, in milliseconds. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 20_000;

/**
 * The current user: `GET /api/me`, fetched once. A failed call is retried with exponential backoff
 * until it succeeds.
 */
export function useCurrentUser(): {
  readonly user: CurrentUser | undefined;
  readonly failing: boolean;
} {
  const { data, failureCount } = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => call({ path: shopPaths.me, answer: currentUserSchema, signal }),
    retry: true,
    retryDelay: (failures) => backoff(failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY),
  });
  return { user: data, failing: data === undefined && failureCount > 0 };
}
