import { call, send } from "@keepsats/client";
import { isTimeZone, TIME_ZONE } from "@keepsats/domain";
import { type CurrentSession, currentSessionSchema, paths } from "@keepsats/protocol";
import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { errorText, isSignedOut } from "./api.ts";
import { sessionKey, signedOutKey } from "./queries.ts";

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

/** Why the session is over: signed out in this tab, or ended elsewhere. */
export type SessionEnd = "signed-out" | "ended";

/** Why the session of this tab is over; `undefined` during a session and before the first one. */
export function useSessionEnd(session: CurrentSession | null | undefined): SessionEnd | undefined {
  const client = useQueryClient();
  const [hadSession, setHadSession] = useState(false);
  const hasSession = session != null;
  if (hasSession && !hadSession) setHadSession(true);
  useEffect(() => {
    if (hasSession) client.removeQueries({ queryKey: signedOutKey });
  }, [client, hasSession]);
  if (session !== null || !hadSession) return undefined;
  return client.getQueryData(signedOutKey) === true ? "signed-out" : "ended";
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
      client.setQueryData(signedOutKey, true);
      client.setQueryData(sessionKey, null);
    },
    onError: (error) => toasts.error("You are still signed in", errorText(error)),
  });
}
