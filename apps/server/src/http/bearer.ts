import { createHash, timingSafeEqual } from "node:crypto";

/** Compares an `Authorization` header with the one right token, in a time that tells nothing of it. */
export function bearerIs(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
