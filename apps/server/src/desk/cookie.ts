/**
 * A year in seconds. The server ends a session that is not used; the cookie only must not end
 * sooner.
 */
const AGE = 31_536_000;
/** The most cookies of the name that are read of one request. */
const MOST_READ = 3;

/** The cookie of the desk's session. */
export interface SessionCookie {
  /**
   * The secrets in a `Cookie` header, at most {@link MOST_READ}; none if it has none. Browsers send
   * one, others can set more.
   */
  read(header: string | undefined): readonly string[];
  /** The `Set-Cookie` header that keeps a secret. */
  keep(secret: string): string;
  /** The `Set-Cookie` header that removes it. */
  clear(): string;
}

/**
 * The cookie for a desk at this origin. With https its name begins with `__Host-`: browsers take
 * such a cookie only from this very host, and send it to no other. Browsers refuse that name over
 * plain http, which only this machine uses. There the name has the desk's port, because cookies
 * know no ports: two desks on this machine would sign each other out.
 */
export function sessionCookie(deskUrl: string): SessionCookie {
  const { protocol, port } = new URL(deskUrl);
  const isSecure = protocol === "https:";
  const name = isSecure ? "__Host-desk" : `desk-${port || 80}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header = "") {
      const pairs = header.split(";").map((pair) => pair.trim());
      const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
      const secrets = own
        .map((pair) => pair.slice(name.length + 1))
        .filter((secret) => secret !== "");
      return secrets.slice(0, MOST_READ);
    },
    keep: (secret) => `${name}=${secret}; Max-Age=${AGE}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
