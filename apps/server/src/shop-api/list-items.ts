import type { RequestListener } from "node:http";
import { itemsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { CatalogueListing, Listing } from "../catalogue/listing.ts";
import { pickEncoding } from "../http/content-encoding.ts";
import { noFields, type Operation } from "../http/operation.ts";
import { givenRequestId, requestIdHeader } from "../http/request-id.ts";

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
 * Answers `GET /api/items`, the busiest route, with a prepared buffer and prepared headers. For
 * speed it generates no request id, because it logs nothing.
 */
export function createItemsListener({ listing, onServed }: Options): RequestListener {
  return ({ headers }, response) => {
    const current = listing.current();
    const id = givenRequestId(headers);
    const withId = (prepared: string[]) =>
      id === undefined ? prepared : [...prepared, requestIdHeader, id];
    onServed();
    if (headers["if-none-match"] === current.etag)
      response.writeHead(304, withId(current.unchanged)).end();
    else {
      const ready = choose(current, headers["accept-encoding"]);
      response.writeHead(200, withId(ready.headers)).end(ready.body);
    }
  };
}

/**
 * Answers requests for the list before they come to the server's router, which would take a tenth
 * of their time.
 */
export function itemsFirst(items: RequestListener, others: RequestListener): RequestListener {
  return (request, response) => {
    const isList = request.method === "GET" && request.url === paths.items;
    return isList ? items(request, response) : others(request, response);
  };
}

/**
 * The route of the list, for what {@link itemsFirst} leaves: `HEAD`, and URLs that are written in
 * another way.
 */
export function listItemsRoute(app: FastifyInstance, items: RequestListener): void {
  app.get(paths.items, { config: { operation } }, (request, reply) => {
    reply.hijack();
    items(request.raw, reply.raw);
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
