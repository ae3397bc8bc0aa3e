import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a challenge of the admin says, as far as an authenticator needs it. */
interface Asked {
  readonly challenge: string;
}

/** A value as CBOR, of the few kinds that WebAuthn needs. */
type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

function header(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 256) return Buffer.from([type | 24, value]);
  return Buffer.from([type | 25, value >> 8, value & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? header(1, -1 - value) : header(0, value);
  if (typeof value === "string")
    return Buffer.concat([header(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([header(2, value.length), value]);
  if (!("get" in value)) return Buffer.concat([header(4, value.length), ...value.map(cbor)]);
  const entries = [...value].flatMap(([key, held]) => [cbor(key), cbor(held)]);
  return Buffer.concat([header(5, value.size), ...entries]);
}

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
  /** Sends an attestation of this format, though none is asked for. */
  readonly attested?: Attested;
}

/** An attestation, which the server does not request. */
interface Attested {
  readonly fmt: string;
  /**
   * Where the revocation list of its certificates is said to be; `undefined` for an attestation
   * without certificates.
   */
  readonly revocations?: string;
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

  function authenticatorData(flags: number, wrong: Wrong, ...more: Buffer[]): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    const verified = wrong.unverified === true ? 0 : USER_VERIFIED;
    const flag = Buffer.from([USER_PRESENT | verified | flags]);
    return Buffer.concat([sha256(wrong.rpId ?? new URL(origin).hostname), flag, count, ...more]);
  }

  /**
   * The statement of an attestation about what was signed, with a chain of two certificates of its
   * own making.
   */
  function statement(data: Buffer, client: Buffer, { revocations }: Attested): Map<string, Cbor> {
    const sig = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
    const self = new Map<string, Cbor>([
      ["alg", -7],
      ["sig", sig],
    ]);
    if (revocations === undefined) return self;
    const root = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const signing = { issuer: "Root", signedBy: root.privateKey };
    const extensions = [androidKeyDescription(sha256(client)), revocationListAt(revocations)];
    const leaf = certificate({ ...signing, subject: "Leaf", publicKey, extensions });
    const top = certificate({ ...signing, subject: "Root", publicKey: root.publicKey, extensions });
    return self.set("ver", "2.0").set("x5c", [leaf, top]);
  }

  return {
    id,
    /** The answer of `navigator.credentials.create()`. */
    create(asked: Asked, wrong: Wrong = {}) {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
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
      const { attested } = wrong;
      const attestation = new Map<string, Cbor>([
        ["fmt", attested?.fmt ?? "none"],
        ["attStmt", attested === undefined ? new Map() : statement(data, client, attested)],
        ["authData", data],
      ]);
      const response = {
        clientDataJSON: base64url(client),
        attestationObject: base64url(cbor(attestation)),
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

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = 0x06;
const OCTETS = 0x04;

/** A value in DER. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const hex = (text: string) => Buffer.from(text, "hex");
const ECDSA_SHA256 = der(SEQUENCE, der(OID, hex("2a8648ce3d040302")));
const VALIDITY = der(
  SEQUENCE,
  der(0x17, Buffer.from("200101000000Z")),
  der(0x17, Buffer.from("491231235959Z")),
);

function nameOf(text: string): Buffer {
  return der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OID, hex("550403")), der(0x0c, Buffer.from(text)))),
  );
}

function extension(oid: string, value: Uint8Array): Buffer {
  return der(SEQUENCE, der(OID, hex(oid)), der(OCTETS, value));
}

/** The extension that says where the list of revoked certificates is. */
function revocationListAt(url: string): Buffer {
  return extension(
    "551d1f",
    der(SEQUENCE, der(SEQUENCE, der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))),
  );
}

/** The extension of Android's key store: what it was asked to attest. */
function androidKeyDescription(challenge: Uint8Array): Buffer {
  const description = [
    hex("0201030a01000201030a0100"),
    der(OCTETS, challenge),
    hex("040030003000"),
  ];
  return extension("2b06010401d679020111", der(SEQUENCE, ...description));
}

/** What a certificate says. */
interface Statement {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** A certificate (X.509 in DER) for keys of ECDSA with P-256. */
function certificate({ subject, issuer, publicKey, signedBy, extensions }: Statement): Buffer {
  const statement = der(
    SEQUENCE,
    der(0xa0, hex("020102")),
    hex("020101"),
    ECDSA_SHA256,
    nameOf(issuer),
    VALIDITY,
    nameOf(subject),
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  return der(
    SEQUENCE,
    statement,
    ECDSA_SHA256,
    der(0x03, Buffer.from([0]), sign("sha256", statement, signedBy)),
  );
}
