/** A year in seconds. The server ends a session that is not used; the cookie only must not end sooner. */
const AGE = 31_536_000;

/** The cookie of the desk's session. */
export interface SessionCookie {
  /** The secret in a `Cookie` header; `""` if it has none. */
  read(header: string | undefined): string;
  /** The `Set-Cookie` header that keeps a secret. */
  keep(secret: string): string;
  /** The `Set-Cookie` header that removes it. */
  clear(): string;
}

/**
 * The cookie for a desk at this origin. With https its name begins with `__Host-`: browsers take such a cookie only from this very
 * host, and send it to no other. Browsers refuse that name over plain http, which only this machine uses.
 */
export function sessionCookie(deskUrl: string): SessionCookie {
  const isSecure = deskUrl.startsWith("https:");
  const name = isSecure ? "__Host-desk" : "desk";
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header = "") {
      const pairs = header.split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
    },
    keep: (secret) => `${name}=${secret}; Max-Age=${AGE}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
