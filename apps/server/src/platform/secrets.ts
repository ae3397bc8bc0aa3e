import { hash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** A new secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** The SHA-256 of a text. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The SHA-256 of a text, base64url. */
export function sha256Text(text: string): string {
  return hash("sha256", text, "base64url");
}
