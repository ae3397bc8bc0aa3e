import { passkeyCreationSchema, passkeySchema, paths } from "@keepsats/protocol";
import { post } from "./api.ts";
import { deviceName } from "./browser-name.ts";
import { useAction } from "./use-action.ts";

/** Registers a passkey for the signed-in member of staff, named after the device. */
export function useAddPasskey() {
  return useAction(addPasskey, "Passkey added");
}

async function addPasskey() {
  const { challenge_id, options } = await post(
    paths.auth.newPasskeyChallenge,
    {},
    passkeyCreationSchema,
  );
  const response = await loadWebauthn()
    .then(({ startRegistration }) => startRegistration({ optionsJSON: options }))
    .catch((cause: unknown) => {
      throw new Error("The browser did not create a passkey.", { cause });
    });
  const name = deviceName(navigator.userAgent);
  return post(paths.auth.passkeys, { challenge_id, name, response }, passkeySchema);
}

/** Loaded on use, because most visits need no passkey. */
export function loadWebauthn() {
  return import("@simplewebauthn/browser");
}

export const hasPasskeySupport = () => "PublicKeyCredential" in window;
