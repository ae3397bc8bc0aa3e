import { type CurrentUser, currentUserSchema, paths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { call, jittered } from "../../lib/api.ts";

/** Before jitter, which makes it up to half as long again. */
const LONGEST_PAUSE = 20_000;

/** `GET /api/me`, once; while it fails it is asked again, ever more seldom. */
export function useCurrentUser(): { readonly user: CurrentUser | undefined; readonly failing: boolean } {
  const { data, failureCount } = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => call({ path: paths.me, answer: currentUserSchema, signal }),
    retry: true,
    retryDelay: (failures) => jittered(Math.min(1_000 * 2 ** failures, LONGEST_PAUSE)),
  });
  return { user: data, failing: data === undefined && failureCount > 0 };
}
