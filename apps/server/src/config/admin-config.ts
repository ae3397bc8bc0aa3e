import {
  ConfigError,
  type Environment,
  isLoopback,
  isOn,
  origin,
  refuse,
  text,
} from "./environment.ts";

export interface AdminConfig {
  /** The address on which the admin listens. */
  readonly host: string;
  readonly port: number;
  /** The origin of the admin, such as `https://admin.shop.example`. */
  readonly url: string;
  /** Whether the start prints a sign-in link for an owner. */
  readonly link: boolean;
}

/**
 * Reads the variables of the admin. Cookies and passkeys do not distinguish ports, so an admin that
 * is reachable from other machines needs its own host name. Over plain http it listens on loopback
 * only, whatever `HOST` is, unless `ADMIN_HOST` is set.
 *
 * @returns `undefined` if the admin is off
 * @throws {ConfigError} for the first invalid variable
 */
export function readAdmin(
  env: Environment,
  shop: { readonly host: string; readonly port: number; readonly publicUrl: string },
): AdminConfig | undefined {
  const given = text(env, "ADMIN_PORT");
  if (given === undefined || given === "off") return undefined;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port < 1 || port > 65_535)
    return refuse("ADMIN_PORT", given, "off, or a whole number from 1 to 65535");
  if (port === shop.port)
    throw new ConfigError(`ADMIN_PORT: got "${given}", must differ from PORT`);
  const url = origin(env, "ADMIN_URL", `http://localhost:${port}`);
  const { protocol, hostname } = new URL(url);
  const host = text(env, "ADMIN_HOST") ?? (protocol === "https:" ? shop.host : loopback(shop.host));
  const admin = { host, port, url, link: isOn(env, "ADMIN_LINK") };
  if (isLoopback(hostname)) return admin;
  if (protocol !== "https:")
    return refuse(
      "ADMIN_URL",
      url,
      "an https address, or one of this machine such as http://localhost:3002",
    );
  if (hostname === new URL(shop.publicUrl).hostname)
    throw new ConfigError(
      `ADMIN_URL: got "${url}", must differ from PUBLIC_URL in its host name, such as https://admin.shop.example`,
    );
  return admin;
}

/** The host itself if it is a loopback address. */
function loopback(host: string): string {
  return host === "::1" || isLoopback(host) ? host : "127.0.0.1";
}
