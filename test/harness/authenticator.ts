import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** The part of the admin's answer that an authenticator needs. */
interface Asked {
  readonly challenge: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const NO_CERTIFICATE = new Uint8Array([1, 2, 3]);

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

/** What may be wrong with an answer. */
export interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** Signs without having asked for a finger, a face or a PIN. */
  readonly unverified?: boolean;
  /** Answers from a frame in a page of another site. */
  readonly crossOrigin?: boolean;
  /** Sends an attestation of this format, though none is asked for; its certificate is invalid. */
  readonly attestation?: string;
}

/**
 * A device with one passkey (ES256), which answers like `PublicKeyCredential.toJSON()` of a browser
 * at `origin`.
 */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(32);
  const id = base64url(credential);
  let counter = 0;

  function clientData(type: string, { challenge }: Asked, wrong: Wrong): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: wrong.crossOrigin ?? false,
      }),
    );
  }

  function authenticatorData(flags: number, wrong: Wrong, ...more: Uint8Array[]): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    const verified = wrong.unverified === true ? 0 : USER_VERIFIED;
    const flag = Buffer.from([USER_PRESENT | verified | flags]);
    return Buffer.concat([sha256(wrong.rpId ?? new URL(origin).hostname), flag, count, ...more]);
  }

  return {
    id,
    /** The answer of `navigator.credentials.create()`. */
    create(asked: Asked, wrong: Wrong = {}) {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytesOf(x)],
          [-3, bytesOf(y)],
        ]),
      );
      const length = Buffer.from([0, credential.length]);
      const data = authenticatorData(
        HAS_CREDENTIAL,
        wrong,
        Buffer.alloc(16),
        length,
        credential,
        key,
      );
      const client = clientData("webauthn.create", asked, wrong);
      const { attestation } = wrong;
      const statement = new Map<string, Uint8Array[]>();
      if (attestation !== undefined) statement.set("x5c", [NO_CERTIFICATE]);
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, Uint8Array[]>>([
          ["fmt", attestation ?? "none"],
          ["attStmt", statement],
          ["authData", new Uint8Array(data)],
        ]),
      );
      const response = {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestationObject),
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
    /** The answer of `navigator.credentials.get()`. */
    get(asked: Asked, wrong: Wrong = {}) {
      const data = authenticatorData(0, wrong);
      const client = clientData("webauthn.get", asked, wrong);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      };
      return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
    },
  };
}
