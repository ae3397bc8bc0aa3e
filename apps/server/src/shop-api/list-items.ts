import { itemsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { CatalogueListing, Listing } from "../catalogue/listing.ts";
import { pickEncoding } from "../http/content-encoding.ts";
import { noFields, type Operation } from "../http/operation.ts";

const operation = {
  operationId: "listItems",
  summary: "The items of the catalogue",
  tag: "shop",
  takes: noFields,
  answers: { 200: itemsSchema },
} satisfies Operation;

interface Options {
  readonly listing: CatalogueListing;
  readonly onServed: () => void;
}

/**
 * `GET /api/items`, the route with the most requests: it sends a prepared buffer with prepared headers, in a scope
 * without hooks.
 */
export function listItemsRoute(app: FastifyInstance, { listing, onServed }: Options): void {
  // A logger of its own for each request would take a tenth of its time, and no request of this route logs anything.
  app.setChildLoggerFactory((log) => log);
  app.get(paths.items, { config: { operation } }, (request, reply) => {
    const current = listing.current();
    onServed();
    // Past Fastify, which would copy the headers one by one.
    reply.hijack();
    const { "accept-encoding": accepted, "if-none-match": known } = request.headers;
    if (known === current.etag) reply.raw.writeHead(304, current.unchanged).end();
    else {
      const { body, headers } = choose(current, accepted);
      reply.raw.writeHead(200, headers).end(body);
    }
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
