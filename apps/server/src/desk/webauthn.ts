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
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** Passkeys belong to a host name. */
export function relyingParty(deskUrl: string): string {
  return new URL(deskUrl).hostname;
}

/** Checks the answer of a new passkey. @returns the passkey; `undefined` if the answer is wrong */
export async function verifyNew(
  response: NewPasskey["response"],
  { challenge, deskUrl }: Expected,
): Promise<Credential | undefined> {
  if (isFramed(response.response.clientDataJSON)) return undefined;
  const { verifyRegistrationResponse } = await load();
  const attestationObject = await quietly(withoutAttestation(response.response.attestationObject));
  if (attestationObject === undefined) return undefined;
  const checked = await quietly(
    verifyRegistrationResponse({
      response: {
        ...response,
        response: { ...response.response, attestationObject },
        clientExtensionResults: {},
      },
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

/**
 * Checks what a passkey signed. @returns its new count; `undefined` if the answer is wrong, or the
 * count did not grow
 */
export async function verifySignIn(
  response: PasskeySignIn["response"],
  { credential_id: id, public_key, counter }: Credential,
  { challenge, deskUrl }: Expected,
): Promise<number | undefined> {
  if (isFramed(response.response.clientDataJSON)) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const checked = await quietly(
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: deskUrl,
      expectedRPID: relyingParty(deskUrl),
      credential: { id, publicKey: bytesOf(public_key), counter },
      requireUserVerification: true,
    }),
  );
  return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined;
}

/**
 * Replaces what an authenticator attests about itself by nothing. The desk asks for no attestation,
 * yet some authenticators send one. The library would check it: it parses certificates that the
 * sender chose, and fetches the lists of revoked ones from addresses in them.
 */
async function withoutAttestation(attestationObject: string): Promise<string | undefined> {
  const { decodeAttestationObject, isoCBOR } = await loadHelpers();
  const authData: unknown = decodeAttestationObject(bytesOf(attestationObject)).get("authData");
  if (!(authData instanceof Uint8Array)) return undefined;
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, string>()],
    ["authData", authData],
  ]);
  return Buffer.from(isoCBOR.encode(none)).toString("base64url");
}

/**
 * Whether an answer says that it comes from a frame in a page of another site. The desk is in no
 * frame.
 */
function isFramed(clientDataJSON: string): boolean {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    const crossOrigin: unknown = Reflect.get(Object(data), "crossOrigin");
    return crossOrigin !== undefined && crossOrigin !== false;
  } catch {
    return false; // The library refuses what is no JSON.
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}

/** The library throws for every wrong answer. */
async function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
