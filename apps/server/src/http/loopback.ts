import type { FastifyRequest } from "fastify";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The redirect for a page that was requested under another name of this machine, such as
 * `127.0.0.1` for `localhost`. The pop-up and the socket accept only the shop's own origin, so the
 * page would not work under the other name.
 *
 * @returns the URL under the shop's own origin; `undefined` if no redirect is needed
 */
export function loopbackRedirect(request: FastifyRequest, publicUrl: string): string | undefined {
  const shop = new URL(publicUrl);
  const asked = URL.parse(`http://${request.headers.host}`)?.hostname;
  if (asked === undefined || asked === shop.hostname) return undefined;
  if (!loopback.has(asked) || !loopback.has(shop.hostname)) return undefined;
  return `${shop.origin}${request.url.replace(/^[/\\]+/, "/")}`;
}
