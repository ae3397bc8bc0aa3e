import { type InStock, type Item, itemsSchema, shopPaths } from "@keepsats/protocol";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../lib/api.ts";

declare global {
  interface Window {
    /** The first `GET /api/items`, which `index.html` sends before the app's code has loaded. */
    itemsRequest?: Promise<Response> | undefined;
  }
}

/** @returns the request that the page has sent; `undefined` from the second call on, because a retry needs a new request */
function takeItemsRequest(): Promise<Response> | undefined {
  const { itemsRequest } = window;
  window.itemsRequest = undefined;
  return itemsRequest;
}

async function loadItems({ signal }: { signal: AbortSignal }): Promise<Item[]> {
  try {
    return await call({ path: shopPaths.items, answer: itemsSchema, signal, sent: takeItemsRequest() });
  } catch (error) {
    if (!signal.aborted) console.error("Failed to load items", error);
    throw error;
  }
}

/** The items of the catalogue: `GET /api/items`, fetched once. */
export function useItems(): UseQueryResult<Item[]> {
  return useQuery({ queryKey: [shopPaths.items], queryFn: loadItems });
}

/** What is left of each item by item id; `undefined` until the items are loaded. */
export function useStock(): ReadonlyMap<string, InStock> | undefined {
  const { data } = useItems();
  return useMemo(() => data && new Map(data.map(({ id, in_stock = true }) => [id, in_stock])), [data]);
}

/** The addresses of the items' pictures by item id; empty until the items are loaded. */
export function usePictures(): ReadonlyMap<string, string> {
  const { data } = useItems();
  return useMemo(() => new Map(data?.map(({ id, image_url }) => [id, image_url])), [data]);
}
