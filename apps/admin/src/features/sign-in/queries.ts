import { call } from "@keepsats/client";
import {
  type CurrentSession,
  currentSessionSchema,
  passkeyRequestSchema,
  paths,
  signInLinkSchema,
} from "@keepsats/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { post } from "../../lib/api.ts";
import { loadWebauthn } from "../../lib/passkeys.ts";
import { sessionKey } from "../../lib/queries.ts";
import { isSignInRefused } from "./sign-in-rules.ts";

/** Looks up the account of a sign-in link; `null` if the link is invalid. */
export function useLinkQuery(link: string | undefined) {
  return useQuery({
    // Nested under the session's key, so a new session does not refetch the used link.
    queryKey: [...sessionKey, "link"],
    enabled: link !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      try {
        const request = { path: paths.auth.signInLink, method: "POST" } as const;
        return await call({ ...request, body: { link }, answer: signInLinkSchema, signal });
      } catch (error) {
        if (isSignInRefused(error)) return null;
        throw error;
      }
    },
  });
}

export function useSignInWithLink() {
  return useSignIn((link: string) => post(paths.auth.signIn, { link }, currentSessionSchema));
}

export function useSignInWithPasskey() {
  return useSignIn(async () => {
    const { challenge_id, options } = await post(
      paths.auth.passkeyChallenge,
      {},
      passkeyRequestSchema,
    );
    const { startAuthentication } = await loadWebauthn();
    const response = await startAuthentication({ optionsJSON: options });
    return post(paths.auth.passkeySignIn, { challenge_id, response }, currentSessionSchema);
  });
}

function useSignIn<Variables = void>(signIn: (variables: Variables) => Promise<CurrentSession>) {
  const client = useQueryClient();
  // The second click of a double click arrives before the button is disabled. It must not use the
  // one-time link again.
  const running = useRef<Promise<CurrentSession>>(undefined);
  return useMutation({
    mutationFn(variables: Variables) {
      running.current ??= signIn(variables).finally(() => {
        running.current = undefined;
      });
      return running.current;
    },
    onSuccess: (session) => void client.setQueryData(sessionKey, session),
  });
}
