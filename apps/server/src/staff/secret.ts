import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** A new secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** What is stored of a secret: its SHA-256, base64url. Rows are found by it, so that no time tells how far a guess is right. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
