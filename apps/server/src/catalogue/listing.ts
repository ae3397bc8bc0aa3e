import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { inStockOf, itemsSchema, type Item as ShownItem } from "@keepsats/protocol";
import * as z from "zod/mini";
import { createFollowedValue, type FollowedValue, type Following } from "../bus/followed-value.ts";
import type { Queries } from "../db/database.ts";
import { createEndTurn, type EndTurn } from "../turns.ts";
import type { Item } from "./item.ts";
import { listItems } from "./item-repository.ts";

const ITEMS_AT_A_TIME = 50;
/** The share of the time that a new list takes while requests come. */
const SHARE = 1 / 4;
/**
 * The least time between two readings for a changed stock, in milliseconds: the list follows it
 * within a second.
 */
const STOCK_INTERVAL = 800;

/** The prepared answer in one content encoding. */
export interface ReadyListing {
  readonly body: Buffer;
  /** Names and values in turn, as node:http takes them. */
  readonly headers: string[];
}

/**
 * The prepared answers of `GET /api/items`, one per content encoding. They are made again when an
 * item changes.
 */
export interface Listing {
  /** The address of the first item's picture; `undefined` where there is no item. */
  readonly firstPicture: string | undefined;
  readonly etag: string;
  /** The headers of the answer to a client that has this list already. */
  readonly unchanged: string[];
  readonly plain: ReadyListing;
  readonly gzip: ReadyListing;
  readonly brotli: ReadyListing;
}

/** Provides the current {@link Listing}. */
export type CatalogueListing = Omit<FollowedValue<Listing>, "refresh">;

interface Options extends Following {
  readonly db: Queries;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the catalogue now, and again whenever the bus reports a change. Changes of the stock, of
 * which every order may make one, are collected for {@link STOCK_INTERVAL}.
 */
export async function createCatalogueListing(options: Options): Promise<CatalogueListing> {
  const { db, headers, ...following } = options;
  let readAt = 0;
  let readLater: NodeJS.Timeout | undefined;

  async function read(before: Listing | undefined): Promise<Listing> {
    readAt = performance.now();
    clearTimeout(readLater);
    readLater = undefined;
    const endTurn = createEndTurn({ share: SHARE });
    return makeListing(await listItems(db, endTurn), { common: headers, before, endTurn });
  }

  /** Until the first read has ended, a change of the stock is remembered. */
  let isChanged = false;
  let onStockChange = () => {
    isChanged = true;
  };
  const unsubscribe = following.bus.subscribe(({ topic }) => {
    if (topic === "stock") onStockChange();
  });
  const followed = await createFollowedValue({ ...following, topic: "catalogue", read }).catch(
    (error: unknown) => {
      unsubscribe();
      throw error;
    },
  );
  const { current, refresh, settled, close } = followed;
  const refreshNow = () => void refresh().catch(following.onError);

  function refreshSoon(): void {
    if (readLater !== undefined) return;
    const wait = readAt + STOCK_INTERVAL - performance.now();
    if (wait <= 0) return refreshNow();
    readLater = setTimeout(refreshNow, wait).unref();
  }

  onStockChange = refreshSoon;
  if (isChanged) refreshSoon();
  return {
    current,
    settled,
    close() {
      unsubscribe();
      clearTimeout(readLater);
      close();
    },
  };
}

/** Serialises the list in parts, and ends its turn between them. */
async function jsonOf(items: readonly Item[], endTurn: EndTurn): Promise<Buffer> {
  const parts = [Buffer.from("[")];
  for (let start = 0; start < items.length; start += ITEMS_AT_A_TIME) {
    const shown = items.slice(start, start + ITEMS_AT_A_TIME).flatMap(shownItem);
    const json = JSON.stringify(z.encode(itemsSchema, shown)).slice(1, -1);
    if (shown.length > 0) parts.push(Buffer.from(parts.length > 1 ? `,${json}` : json));
    await endTurn();
  }
  return Buffer.concat([...parts, Buffer.from("]")]);
}

/** An item as a shopper sees it, and nothing of a hidden one. */
function shownItem({ hidden, stock, image_urls, ...item }: Item): ShownItem[] {
  if (hidden) return [];
  const pictures = image_urls.length === 0 ? {} : { image_urls };
  return [{ ...item, ...pictures, in_stock: inStockOf(stock) }];
}

interface Making {
  /** The headers of every answer. */
  readonly common: Readonly<Record<string, string>>;
  readonly before: Listing | undefined;
  readonly endTurn: EndTurn;
}

async function makeListing(
  items: readonly Item[],
  { common, before, endTurn }: Making,
): Promise<Listing> {
  const plain = await jsonOf(items, endTurn);
  if (before?.plain.body.equals(plain) === true) return before;
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
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
  const firstPicture = items.find(({ hidden }) => !hidden)?.image_url;
  return {
    firstPicture,
    etag,
    unchanged: Object.entries(shared).flat(),
    plain: ready(plain),
    gzip: ready(gzipped, "gzip"),
    brotli: ready(brotli, "br"),
  };
}
