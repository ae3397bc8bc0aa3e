import { call } from "@keepsats/client";
import {
  type DeskSession,
  deskSessionSchema,
  passkeyCreationSchema,
  passkeyRequestSchema,
  passkeySchema,
  paths,
} from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { deviceName } from "./browser-name.ts";
import { sessionKey } from "./queries.ts";

/** Loaded when it is used, because most visits need no passkey. */
const webauthn = () => import("@simplewebauthn/browser");

/** Signs in with the secret of a sign-in link, which works once. */
export function useSignInWithLink() {
  return useSignIn((link: string) =>
    call({ path: paths.desk.signIn, method: "POST", body: { link }, answer: deskSessionSchema }),
  );
}

/** Signs in with a passkey that the browser asks for. */
export function useSignInWithPasskey() {
  return useSignIn(async () => {
    const { challenge_id, options } = await call({
      path: paths.desk.passkeyChallenge,
      method: "POST",
      body: {},
      answer: passkeyRequestSchema,
    });
    const { startAuthentication } = await webauthn();
    const response = await startAuthentication({ optionsJSON: options });
    return call({
      path: paths.desk.passkeySignIn,
      method: "POST",
      body: { challenge_id, response },
      answer: deskSessionSchema,
    });
  });
}

function useSignIn<Variables = void>(signIn: (variables: Variables) => Promise<DeskSession>) {
  const client = useQueryClient();
  // A double click's second click arrives before the button is disabled, and would use the link
  // twice.
  const running = useRef<Promise<DeskSession>>(undefined);
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

/** Makes a passkey for whoever is signed in, named after the browser. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { challenge_id, options } = await call({
        path: paths.desk.newPasskeyChallenge,
        method: "POST",
        body: {},
        answer: passkeyCreationSchema,
      });
      const { startRegistration } = await webauthn();
      const response = await startRegistration({ optionsJSON: options });
      return call({
        path: paths.desk.passkeys,
        method: "POST",
        body: { challenge_id, name: deviceName(navigator.userAgent), response },
        answer: passkeySchema,
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}
