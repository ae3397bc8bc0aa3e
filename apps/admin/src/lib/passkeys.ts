import { call } from "@keepsats/client";
import { passkeyCreationSchema, passkeySchema, paths } from "@keepsats/protocol";
import { deviceName } from "./browser-name.ts";
import { sessionKey } from "./queries.ts";
import { useAction } from "./use-action.ts";

/** Registers a passkey for the signed-in member of staff, named after the device. */
export function useAddPasskey() {
  return useAction(addPasskey, { invalidates: [sessionKey] });
}

async function addPasskey() {
  const { challenge_id, options } = await call({
    path: paths.auth.newPasskeyChallenge,
    method: "POST",
    body: {},
    answer: passkeyCreationSchema,
  });
  const response = await loadWebauthn()
    .then(({ startRegistration }) => startRegistration({ optionsJSON: options }))
    .catch((cause: unknown) => {
      throw new Error("The browser did not create a passkey.", { cause });
    });
  return call({
    path: paths.auth.passkeys,
    method: "POST",
    body: { challenge_id, name: deviceName(navigator.userAgent), response },
    answer: passkeySchema,
  });
}

/** Loaded on use, because most visits need no passkey. */
export function loadWebauthn() {
  return import("@simplewebauthn/browser");
}

export const hasPasskeySupport = () => "PublicKeyCredential" in window;
