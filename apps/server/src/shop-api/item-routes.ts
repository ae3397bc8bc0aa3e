import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { CatalogueListing, Listing } from "../catalogue/listing.ts";
import { pickEncoding } from "../http/content-encoding.ts";

/**
 * `GET /api/items`, the hottest route: a ready-made buffer with ready-made headers, in a scope without any hooks.
 */
export function catalogueRoutes(
  app: FastifyInstance,
  { listing, onServed }: { listing: CatalogueListing; onServed: () => void },
): void {
  app.get(paths.items, (request, reply) => {
    const current = listing.current();
    onServed();
    if (request.headers["if-none-match"] === current.etag) {
      const { "Content-Length": _, ...headers } = current.plain.headers;
      return reply.code(304).headers(headers).send();
    }
    const { body, headers } = choose(current, request.headers["accept-encoding"]);
    return reply.headers(headers).send(body);
  });
}

function choose(listing: Listing, accepted: string | undefined) {
  switch (pickEncoding(accepted)) {
    case "br":
      return listing.brotli;
    case "gzip":
      return listing.gzip;
    case undefined:
      return listing.plain;
  }
}
