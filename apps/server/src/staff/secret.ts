import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** A new secret of 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(BYTES).toString("base64url");
}

/**
 * Whether a text looks like a secret of {@link newSecret}. What does not is unknown, without a look
 * into the database.
 */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/**
 * What is stored of a secret: its SHA-256, base64url. Rows are found by it, so that no time tells
 * how far a guess is right.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
