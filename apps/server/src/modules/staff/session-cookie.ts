import { SECOND, YEAR } from "../../platform/scheduling/clock.ts";

/** In seconds. The server ends the session; the cookie must only not expire sooner. */
const AGE = YEAR / SECOND;
const MAX_READ = 3;

export type SessionCookie = ReturnType<typeof sessionCookie>;

/**
 * The session cookie of an admin at this origin. Over https its name has the prefix `__Host-`:
 * browsers accept it only from this host, and send it to no other. Browsers refuse that prefix over
 * plain http, which only loopback uses. There the name has the port, because cookies do not
 * distinguish ports: two admins on one machine would sign each other out.
 */
export function sessionCookie(adminUrl: string) {
  const { protocol, port } = new URL(adminUrl);
  const isSecure = protocol === "https:";
  const name = isSecure ? "__Host-admin" : `admin-${port || 80}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    /**
     * The secrets in a `Cookie` header, at most {@link MAX_READ}. Browsers send one; other clients
     * may send more.
     */
    read(header = ""): string[] {
      const empty = `${name}=`;
      const pairs = header.split(";").map((pair) => pair.trim());
      const own = pairs.filter((pair) => pair.startsWith(empty) && pair !== empty);
      return own.slice(0, MAX_READ).map((pair) => pair.slice(empty.length));
    },

    /** The `Set-Cookie` header that stores a secret. */
    keep: (secret: string) => `${name}=${secret}; Max-Age=${AGE}; ${attributes}`,

    /** The `Set-Cookie` header that removes it. */
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
