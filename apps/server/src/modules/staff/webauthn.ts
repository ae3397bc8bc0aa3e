import type { NewPasskey, PasskeySignIn } from "@keepsats/protocol";
import type { Credential } from "./passkeys.ts";

/** The signatures that passkeys may use: EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257];

interface Expected {
  readonly challenge: string;
  readonly adminUrl: string;
}

/** Loaded at the first use: a server whose staff use no passkeys never loads the library. */
const load = () => import("@simplewebauthn/server");
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** The relying party id: passkeys belong to a host name. */
export function relyingParty(adminUrl: string): string {
  return new URL(adminUrl).hostname;
}

/** Verifies the registration of a passkey. Returns `undefined` if it is invalid. */
export async function verifyRegistration(
  response: NewPasskey["response"],
  { challenge, adminUrl }: Expected,
): Promise<Credential | undefined> {
  if (isFramed(response.response.clientDataJSON)) return undefined;
  const { verifyRegistrationResponse } = await load();
  const attestationObject = await undefinedIfInvalid(
    withoutAttestation(response.response.attestationObject),
  );
  if (attestationObject === undefined) return undefined;
  const checked = await undefinedIfInvalid(
    verifyRegistrationResponse({
      response: {
        ...response,
        response: { ...response.response, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: adminUrl,
      expectedRPID: relyingParty(adminUrl),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (checked?.registrationInfo === undefined) return undefined;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { credential_id: id, public_key: Buffer.from(publicKey).toString("base64url"), counter };
}

/**
 * Verifies the signature of a passkey.
 *
 * @returns its new counter; `undefined` if the signature is invalid or the counter did not grow
 */
export async function verifySignature(
  response: PasskeySignIn["response"],
  { credential_id: id, public_key, counter }: Credential,
  { challenge, adminUrl }: Expected,
): Promise<number | undefined> {
  if (isFramed(response.response.clientDataJSON)) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const checked = await undefinedIfInvalid(
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: adminUrl,
      expectedRPID: relyingParty(adminUrl),
      credential: { id, publicKey: bytesOf(public_key), counter },
      requireUserVerification: true,
    }),
  );
  return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined;
}

/**
 * Removes the attestation. The admin asks for none, yet some authenticators send one. The library
 * would verify it: parse certificates that the client chose, and fetch the revocation lists that
 * they name.
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
 * Whether the response comes from a frame in a page of another site. The admin allows no frames.
 */
function isFramed(clientDataJSON: string): boolean {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    const crossOrigin: unknown = Reflect.get(Object(data), "crossOrigin");
    return crossOrigin !== undefined && crossOrigin !== false;
  } catch {
    return false; // The library refuses invalid JSON.
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}

/** The library throws for every invalid response. */
async function undefinedIfInvalid<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
