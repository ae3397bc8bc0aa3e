import { paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { CatalogueListing, Listing } from "../catalogue/listing.ts";

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
  if (accepted === undefined) return listing.plain;
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return listing.brotli;
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return listing.gzip;
  return listing.plain;
}
