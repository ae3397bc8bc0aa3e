import { call, send } from "@keepsats/client";
import { isTimeZone, TIME_ZONE } from "@keepsats/domain";
import { type CurrentSession, currentSessionSchema, paths } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { errorText, isSignedOut } from "./api.ts";
import { sessionKey } from "./queries.ts";

const sessionQuery = queryOptions({
  queryKey: sessionKey,
  meta: { topics: ["sessions", "settings"] },
  queryFn: async ({ signal }): Promise<CurrentSession | null> => {
    try {
      return await call({
        path: paths.auth.session,
        answer: z.nullable(currentSessionSchema),
        signal,
      });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
});

export function useSessionQuery() {
  return useQuery(sessionQuery);
}

export const [SessionContext, useSession] = requiredContext<CurrentSession>("session");

/** The shop's time zone; UTC if this browser does not know it. */
export function useTimeZone(): string {
  const { time_zone = TIME_ZONE } = useSession();
  return isTimeZone(time_zone) ? time_zone : TIME_ZONE;
}

/** Ends the session, which also removes all loaded data. A notice reports a failure. */
export function useSignOut() {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    async mutationFn() {
      try {
        await send({ path: paths.auth.session, method: "DELETE" });
      } catch (error) {
        // The session is already over.
        if (!isSignedOut(error)) throw error;
      }
    },
    onSuccess() {
      client.setQueryData(sessionKey, null);
    },
    onError: (error) => toasts.error("Sign-out failed", errorText(error)),
  });
}
