import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import {
  type Category,
  inStockOf,
  itemsSchema,
  paths,
  type Item as ShownItem,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import {
  type CachedValue,
  createCachedValue,
  type RefreshOptions,
} from "../../platform/events/cached-value.ts";
import { compress, pickEncoding } from "../../platform/http/content-encoding.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { givenRequestId, requestIdHeader } from "../../platform/http/server.ts";
import { slices } from "../../platform/scheduling/slices.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import { listCategories } from "./categories.ts";
import type { Item } from "./item.ts";
import { listItems } from "./item-repository.ts";
import { representatives } from "./item-variants.ts";

const MAX_ITEMS_PER_BATCH = 50;
/** The share of the time that a new list takes while there are requests. */
const LISTING_SHARE = 1 / 4;
/** The minimum time between two reads for changes of the stock, in milliseconds. */
const STOCK_INTERVAL = 800;

/** The answer in one content encoding. */
interface ReadyListing {
  readonly body: Buffer;
  /** Alternating names and values, as node:http accepts them. */
  readonly headers: string[];
}

/** A category with shown items, and the URL of its first item's picture. */
export interface ShownCategory extends Category {
  readonly firstPicture: string;
}

export interface ShownCatalogue {
  /** The URL of the first item's picture; `undefined` without items. */
  readonly firstPicture: string | undefined;
  /** The ids of the items that have a page of their own: shown, and not offered on another's page. */
  readonly itemIds: readonly string[];
  /** The categories with such items in their order; none if there are fewer than two. */
  readonly categories: readonly ShownCategory[];
}

/** The prepared answers of `GET /api/items`. They are replaced when an item changes. */
interface Listing extends ShownCatalogue {
  readonly etag: string;
  /** The headers of a 304 answer. */
  readonly unchanged: string[];
  readonly plain: ReadyListing;
  readonly br: ReadyListing;
  readonly gzip: ReadyListing;
}

type CatalogueListing = Omit<CachedValue<Listing>, "refresh">;

interface Options extends RefreshOptions {
  readonly db: Queries;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the catalogue now, and again whenever the bus reports a change. Any order may change the
 * stock, so these changes are throttled by {@link STOCK_INTERVAL}.
 */
export async function createCatalogueListing(options: Options): Promise<CatalogueListing> {
  const { db, headers, ...source } = options;
  let readAt = 0;
  let readLater: NodeJS.Timeout | undefined;

  async function read(before: Listing | undefined): Promise<Listing> {
    readAt = performance.now();
    clearTimeout(readLater);
    readLater = undefined;
    const yieldToEventLoop = createYield({ share: LISTING_SHARE });
    const items = await listItems(db, yieldToEventLoop);
    const categories = items.some(({ category }) => category !== null)
      ? await listCategories(db)
      : [];
    return makeListing(items, { categories, common: headers, before, yieldToEventLoop });
  }

  const cached = await createCachedValue({ ...source, topic: "catalogue", read });
  const { current, refresh, caughtUp, close } = cached;
  const refreshNow = () => void refresh().catch(source.onError);

  function refreshSoon(): void {
    if (readLater !== undefined) return;
    const wait = readAt + STOCK_INTERVAL - performance.now();
    if (wait <= 0) return refreshNow();
    readLater = setTimeout(refreshNow, wait).unref();
  }

  const unsubscribe = source.bus.subscribe(({ topic }) => {
    if (topic === "stock") refreshSoon();
  });
  // The stock may have changed during the first read.
  refreshSoon();
  return {
    current,
    caughtUp,
    close() {
      unsubscribe();
      clearTimeout(readLater);
      close();
    },
  };
}

/** Serializes the list in parts, and yields to the event loop between them. */
async function jsonOf(
  items: readonly Item[],
  ids: ShownIds,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Buffer> {
  const parts = [Buffer.from("[")];
  for (const slice of slices(items, MAX_ITEMS_PER_BATCH)) {
    const shown = slice.map((item) => shownItem(item, ids));
    const json = JSON.stringify(z.encode(itemsSchema, shown)).slice(1, -1);
    parts.push(Buffer.from(parts.length > 1 ? `,${json}` : json));
    await yieldToEventLoop();
  }
  return Buffer.concat([...parts, Buffer.from("]")]);
}

interface ShownIds {
  /** The ids of the categories, by name. */
  readonly categoryIds: ReadonlyMap<string | null, string>;
  /** The ids of the items that represent their groups, by the id of the main item. */
  readonly representatives: ReadonlyMap<string, string>;
}

/** Returns an item as customers see it. */
function shownItem(item: Item, { categoryIds, representatives }: ShownIds): ShownItem {
  const { id, name, description, price, image_url, image_urls, stock, variant_name } = item;
  const category = categoryIds.get(item.category);
  const variant_of = representatives.get(item.variant_of ?? id);
  return {
    id,
    name,
    description,
    price,
    image_url,
    ...(image_urls.length === 0 ? {} : { image_urls }),
    in_stock: inStockOf(stock),
    ...(category === undefined ? {} : { category }),
    ...(variant_of === undefined || variant_of === id ? {} : { variant_of }),
    ...(variant_name === null ? {} : { variant_name }),
  };
}

function shownCategories(
  items: readonly Item[],
  categories: readonly Category[],
): readonly ShownCategory[] {
  const shown = categories.flatMap((category) => {
    const first = items.find((item) => item.category === category.name);
    return first === undefined ? [] : [{ ...category, firstPicture: first.image_url }];
  });
  return shown.length < 2 ? [] : shown;
}

interface ListingInput {
  readonly categories: readonly Category[];
  /** The headers of every answer. */
  readonly common: Readonly<Record<string, string>>;
  readonly before: Listing | undefined;
  readonly yieldToEventLoop: YieldToEventLoop;
}

async function makeListing(
  items: readonly Item[],
  { categories: known, common, before, yieldToEventLoop }: ListingInput,
): Promise<Listing> {
  const shown = items.filter(({ hidden }) => !hidden);
  const ids = {
    categoryIds: new Map(known.map(({ id, name }) => [name, id])),
    representatives: representatives(shown),
  };
  const plain = await jsonOf(shown, ids, yieldToEventLoop);
  const pages = shown.filter(
    ({ id, variant_of }) => ids.representatives.get(variant_of ?? id) === id,
  );
  const categories = shownCategories(pages, known);
  if (
    before?.plain.body.equals(plain) === true &&
    JSON.stringify(before.categories) === JSON.stringify(categories)
  )
    return before;
  const [brotli, gzip] = await Promise.all([compress.br(plain), compress.gzip(plain)]);
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const shared = {
    ...common,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-cache",
    Vary: "Accept-Encoding",
    ETag: etag,
  };
  const ready = (body: Buffer, encoding?: string): ReadyListing => ({
    body,
    headers: Object.entries({
      ...shared,
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
      "Content-Length": String(body.length),
    }).flat(),
  });
  return {
    firstPicture: pages[0]?.image_url,
    itemIds: pages.map(({ id }) => id),
    categories,
    etag,
    unchanged: Object.entries(shared).flat(),
    plain: ready(plain),
    br: ready(brotli, "br"),
    gzip: ready(gzip, "gzip"),
  };
}

const operation = {
  operationId: "listItems",
  summary: "List the items of the catalogue",
  takes: noFields,
  answers: { 200: itemsSchema },
} satisfies Operation;

/**
 * Answers `GET /api/items`, the busiest route, with a prepared body and prepared headers. For speed
 * it generates no request id: it logs nothing.
 */
export function createItemsListener(
  listing: CatalogueListing,
  onServed: () => void,
): RequestListener {
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
