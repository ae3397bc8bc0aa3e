import { call, send } from "@keepsats/client";
import { type DeskSession, deskSessionSchema, paths } from "@keepsats/protocol";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState } from "react";
import * as z from "zod/mini";
import { isSignedOut } from "./api.ts";
import { sessionKey, signedOutKey } from "./queries.ts";

/** Who is signed in; `null` for nobody. */
const sessionQuery = queryOptions({
  queryKey: sessionKey,
  meta: { topics: ["sessions", "settings"] },
  queryFn: async ({ signal }): Promise<DeskSession | null> => {
    try {
      return await call({
        path: paths.desk.session,
        answer: z.nullable(deskSessionSchema),
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

/**
 * Why nobody is signed in any more: somebody has signed out in this tab, or the session has ended
 * elsewhere.
 */
export type SessionEnd = "signed-out" | "ended";

/**
 * Says why a session of this tab is over; `undefined` while there is one, and before there was one.
 */
export function useSessionEnd(session: DeskSession | null | undefined): SessionEnd | undefined {
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

/** The session of the screens below the sign-in. */
export const SessionContext = createContext<DeskSession | undefined>(undefined);

/** @throws outside of the screens that need a session */
export function useSession(): DeskSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("nobody is signed in above this component");
  return session;
}

/** Ends the session; what was read in it is forgotten with it. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    async mutationFn() {
      try {
        await send({ path: paths.desk.session, method: "DELETE" });
      } catch (error) {
        // The session has ended already.
        if (!isSignedOut(error)) throw error;
      }
    },
    onSuccess() {
      client.setQueryData(signedOutKey, true);
      client.setQueryData(sessionKey, null);
    },
  });
}
