import { type Environment, isLoopback, isOn, origin, refuse, text } from "./environment.ts";

/** Where the desk is. */
export interface DeskConfig {
  /** The address on which the desk listens. */
  readonly host: string;
  readonly port: number;
  /** The desk's own origin, such as `https://desk.shop.example`. */
  readonly url: string;
  /** Whether the start prints a sign-in link of an owner. */
  readonly link: boolean;
}

/**
 * Reads the settings of the desk. Cookies and passkeys know no ports, so the desk needs a host name
 * of its own where others than this machine can reach it. Over plain http it listens on this
 * machine only, whatever `HOST` says, unless `DESK_HOST` says otherwise.
 *
 * @returns `undefined` if there is no desk
 * @throws {ConfigError} for the first setting that is invalid
 */
export function readDesk(
  env: Environment,
  shop: { readonly host: string; readonly port: number; readonly publicUrl: string },
): DeskConfig | undefined {
  const given = text(env, "DESK_PORT");
  if (given === undefined || given === "off") return undefined;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port < 1 || port > 65_535)
    return refuse("DESK_PORT", given, "off, or a whole number from 1 to 65535");
  if (port === shop.port) return refuse("DESK_PORT", given, "another port than PORT");
  const url = origin(env, "DESK_URL", `http://localhost:${port}`);
  const { protocol, hostname } = new URL(url);
  const host =
    text(env, "DESK_HOST") ?? (protocol === "https:" ? shop.host : ownMachine(shop.host));
  const desk = { host, port, url, link: isOn(env, "DESK_LINK") };
  if (isLoopback(hostname)) return desk;
  if (protocol !== "https:")
    return refuse(
      "DESK_URL",
      url,
      "an https address, or one of this machine such as http://localhost:3002",
    );
  if (hostname === new URL(shop.publicUrl).hostname)
    return refuse(
      "DESK_URL",
      url,
      "another host name than PUBLIC_URL, such as https://desk.shop.example",
    );
  return desk;
}

/** The shop's own address if only this machine can reach it, and otherwise one that is so. */
function ownMachine(host: string): string {
  return host === "::1" || isLoopback(host) ? host : "127.0.0.1";
}
