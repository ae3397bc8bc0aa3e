import type { FastifyRequest } from "fastify";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Where a page belongs that was asked for under another name of this machine: the pop-up and the socket accept the
 * shop's own origin alone, so the page would not work under the other name.
 *
 * @returns the address under the shop's own origin; `undefined` when the page was asked for as it should be
 */
export function loopbackRedirect(request: FastifyRequest, publicUrl: string): string | undefined {
  const shop = new URL(publicUrl);
  const asked = URL.parse(`http://${request.headers.host}`)?.hostname;
  if (asked === undefined || asked === shop.hostname) return undefined;
  if (!loopback.has(asked) || !loopback.has(shop.hostname)) return undefined;
  return `${shop.origin}${request.url.replace(/^[/\\]+/, "/")}`;
}
