import type { FastifyInstance } from "fastify";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Sends a page that was asked for under another name of this machine to the shop's own origin: the pop-up and the
 * socket accept that origin alone, so the page would not work under the other name.
 */
export function redirectLoopback(app: FastifyInstance, publicUrl: string): void {
  const shop = new URL(publicUrl);
  if (!loopback.has(shop.hostname)) return;
  app.addHook("onRequest", async (request, reply) => {
    const asked = hostnameOf(request.headers.host);
    if (asked === undefined || asked === shop.hostname || !loopback.has(asked)) return;
    if (request.method !== "GET" || request.url.startsWith("/api/")) return;
    return reply.redirect(`${shop.origin}${request.url.replace(/^\/+/, "/")}`, 307);
  });
}

function hostnameOf(host: string | undefined): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
