import type { RequestListener } from "node:http";
import { itemsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { pickEncoding } from "../../platform/http/content-encoding.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { givenRequestId, requestIdHeader } from "../../platform/http/server.ts";
import type { CatalogueListing } from "./listing.ts";

const operation = {
  operationId: "listItems",
  summary: "List the items of the catalogue",
  takes: noFields,
  answers: { 200: itemsSchema },
} satisfies Operation;

interface Options {
  readonly listing: CatalogueListing;
  readonly onServed: () => void;
}

/**
 * Answers `GET /api/items`, the busiest route, with a prepared body and prepared headers. For speed
 * it generates no request id: it logs nothing.
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
      const ready = current[pickEncoding(headers["accept-encoding"]) ?? "plain"];
      response.writeHead(200, withId(ready.headers)).end(ready.body);
    }
  };
}

/** Handles requests that are not answered before Fastify: `HEAD`, and other spellings of the URL. */
export function listItemsRoute(app: FastifyInstance, items: RequestListener): void {
  app.get(paths.items, { config: { operation } }, (request, reply) => {
    reply.hijack();
    items(request.raw, reply.raw);
  });
}
