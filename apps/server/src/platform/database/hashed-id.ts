import { createHash } from "node:crypto";

/** An id in the form of a UUID that is always the same for the same texts. */
export function hashedId(...texts: readonly (string | undefined)[]): string {
  const hash = createHash("sha256")
    .update(JSON.stringify(texts.map((text) => text ?? null)))
    .digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
