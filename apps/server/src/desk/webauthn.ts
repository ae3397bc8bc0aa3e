import type { NewPasskey, PasskeySignIn } from "@keepsats/protocol";
import type { Credential } from "../staff/passkeys.ts";

/** The signatures that passkeys may use: EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** What an answer of a passkey must be for. */
interface Expected {
  /** What must have been signed. */
  readonly challenge: string;
  readonly deskUrl: string;
}

/** The library is loaded at its first use: a server whose staff use no passkeys never loads it. */
const load = () => import("@simplewebauthn/server");

/** Passkeys belong to a host name. */
export function relyingParty(deskUrl: string): string {
  return new URL(deskUrl).hostname;
}

/** Checks the answer of a new passkey. @returns the passkey; `undefined` if the answer is wrong */
export async function verifyNew(
  response: NewPasskey["response"],
  { challenge, deskUrl }: Expected,
): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await load();
  const checked = await quietly(
    verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: deskUrl,
      expectedRPID: relyingParty(deskUrl),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (checked?.registrationInfo === undefined) return undefined;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { credential_id: id, public_key: Buffer.from(publicKey).toString("base64url"), counter };
}

/** Checks what a passkey signed. @returns its new count; `undefined` if the answer is wrong, or the count did not grow */
export async function verifySignIn(
  response: PasskeySignIn["response"],
  { credential_id: id, public_key, counter }: Credential,
  { challenge, deskUrl }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load();
  const checked = await quietly(
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: deskUrl,
      expectedRPID: relyingParty(deskUrl),
      credential: { id, publicKey: new Uint8Array(Buffer.from(public_key, "base64url")), counter },
      requireUserVerification: true,
    }),
  );
  return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined;
}

/** The library throws for every wrong answer. */
async function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
