import { type KeyObject, sign } from "node:crypto";

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
export function revocationListAt(url: string): Buffer {
  return extension(
    "551d1f",
    der(SEQUENCE, der(SEQUENCE, der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))),
  );
}

/** The extension of Android's key store: what it was asked to attest. */
export function androidKeyDescription(challenge: Uint8Array): Buffer {
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
export function certificate({
  subject,
  issuer,
  publicKey,
  signedBy,
  extensions,
}: Statement): Buffer {
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
