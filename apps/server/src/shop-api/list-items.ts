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
  app.get(paths.items, { config: { operation } }, (request, reply) => {
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
