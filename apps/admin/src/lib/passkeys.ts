import { call } from "@keepsats/client";
import { passkeyCreationSchema, passkeySchema, paths } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deviceName } from "./browser-name.ts";
import { sessionKey } from "./queries.ts";

/** Registers a passkey for the signed-in member of staff, named after the device. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { challenge_id, options } = await call({
        path: paths.auth.newPasskeyChallenge,
        method: "POST",
        body: {},
        answer: passkeyCreationSchema,
      });
      const { startRegistration } = await loadWebauthn();
      const response = await startRegistration({ optionsJSON: options });
      return call({
        path: paths.auth.passkeys,
        method: "POST",
        body: { challenge_id, name: deviceName(navigator.userAgent), response },
        answer: passkeySchema,
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}

/** Loaded on use, because most visits need no passkey. */
export function loadWebauthn() {
  return import("@simplewebauthn/browser");
}

export const hasPasskeySupport = () => "PublicKeyCredential" in window;
