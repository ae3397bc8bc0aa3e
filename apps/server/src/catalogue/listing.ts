import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { inStockOf, itemsSchema, type Item as ShownItem } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Bus } from "../bus/bus.ts";
import { type CoalescedRead, readCoalesced } from "../bus/coalesced-read.ts";
import type { Queries } from "../db/database.ts";
import type { Item } from "./item.ts";
import { listItems } from "./item-repository.ts";

const ITEMS_AT_A_TIME = 500;
/** The least time between two readings for a changed stock, in milliseconds: the list follows it within a second. */
const STOCK_INTERVAL = 800;

/** The prepared answer in one content encoding. */
export interface ReadyListing {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** The prepared answers of `GET /api/items`, one per content encoding. They are made again when an item changes. */
export interface Listing {
  /** The address of the first item's picture; `undefined` where there is no item. */
  readonly firstPicture: string | undefined;
  readonly etag: string;
  readonly plain: ReadyListing;
  readonly gzip: ReadyListing;
  readonly brotli: ReadyListing;
}

/** Provides the current {@link Listing}. */
export interface CatalogueListing {
  current(): Listing;
  /** Resolves when no read is in progress: every change that this process has published is in the list. */
  settled(): Promise<void>;
  close(): void;
}

interface Options {
  readonly db: Queries;
  readonly bus: Bus;
  readonly headers: Readonly<Record<string, string>>;
  readonly onError: (error: unknown) => void;
  /** The interval of periodic re-reads in milliseconds; they find changes whose messages the bus has lost. */
  readonly reread: number;
}

/**
 * Reads the catalogue now, and again whenever the bus reports a change. Changes of the stock, of which every order may make
 * one, are collected for {@link STOCK_INTERVAL}.
 */
export async function createCatalogueListing(options: Options): Promise<CatalogueListing> {
  const { db, bus, headers, onError, reread } = options;
  let readAt = performance.now();
  let listing = await makeListing(await listItems(db), headers);
  const state: CoalescedRead = { reading: undefined, stale: false };

  let readLater: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    readAt = performance.now();
    clearTimeout(readLater);
    readLater = undefined;
    listing = await makeListing(await listItems(db), headers, listing);
  }

  function refresh(): void {
    readCoalesced(state, read).catch(onError);
  }

  function refreshSoon(): void {
    if (readLater !== undefined) return;
    const wait = readAt + STOCK_INTERVAL - performance.now();
    if (wait <= 0) return refresh();
    readLater = setTimeout(refresh, wait);
    readLater.unref();
  }

  const endSubscription = bus.subscribe(({ topic }) => {
    if (topic === "catalogue" || topic === "gap") refresh();
    if (topic === "stock") refreshSoon();
  });
  const rereading = setInterval(refresh, reread);
  rereading.unref();
  return {
    current: () => listing,
    settled: async () => state.reading?.catch(() => {}),
    close() {
      endSubscription();
      clearInterval(rereading);
      clearTimeout(readLater);
    },
  };
}

/** Serialises the list in parts, and yields to the event loop between them. */
async function jsonOf(items: readonly Item[]): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += ITEMS_AT_A_TIME) {
    const shown = items.slice(start, start + ITEMS_AT_A_TIME).flatMap(shownItem);
    if (shown.length > 0) parts.push(JSON.stringify(z.encode(itemsSchema, shown)).slice(1, -1));
    if (start + ITEMS_AT_A_TIME < items.length) await yieldToEventLoop();
  }
  return `[${parts.join(",")}]`;
}

/** An item as a shopper sees it, and nothing of a hidden one. */
function shownItem({ hidden, stock, image_urls, ...item }: Item): ShownItem[] {
  if (hidden) return [];
  const pictures = image_urls.length === 0 ? {} : { image_urls };
  return [{ ...item, ...pictures, in_stock: inStockOf(stock) }];
}

async function makeListing(
  items: readonly Item[],
  common: Readonly<Record<string, string>>,
  before?: Listing,
): Promise<Listing> {
  const plain = Buffer.from(await jsonOf(items));
  if (before?.plain.body.equals(plain) === true) return before;
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const ready = (body: Buffer, encoding?: string): ReadyListing => ({
    body,
    headers: {
      ...common,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": body.length,
      "Cache-Control": "no-cache",
      Vary: "Accept-Encoding",
      ETag: etag,
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    },
  });
  const firstPicture = items.find(({ hidden }) => !hidden)?.image_url;
  return {
    firstPicture,
    etag,
    plain: ready(plain),
    gzip: ready(gzipped, "gzip"),
    brotli: ready(brotli, "br"),
  };
}
