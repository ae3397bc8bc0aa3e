import { call, decodeAnswer } from "@keepsats/client";
import { type InStock, type Item, itemsSchema, shopPaths } from "@keepsats/protocol";
import { type QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

declare global {
  interface Window {
    /** The first `GET /api/items`, which `index.html` sends before the app's code has loaded. */
    itemsRequest?: Promise<Response> | undefined;
  }
}

/**
 * @returns the request that the page has sent; `undefined` from the second call on, because a retry
 *   needs a new request
 */
function takeItemsRequest(): Promise<Response> | undefined {
  const { itemsRequest } = window;
  window.itemsRequest = undefined;
  return itemsRequest;
}

async function loadItems({ signal }: { signal: AbortSignal }): Promise<Item[]> {
  try {
    const sent = await takeItemsRequest();
    if (sent !== undefined) return await decodeAnswer(sent, itemsSchema, shopPaths.items);
    return await call({ path: shopPaths.items, answer: itemsSchema, signal });
  } catch (error) {
    if (!signal.aborted) console.error("Failed to load items", error);
    throw error;
  }
}

const itemsQuery = { queryKey: [shopPaths.items], queryFn: loadItems };

/** Loads the items before the first render. It never fails: {@link useItems} loads them again. */
export function prefetchItems(queries: QueryClient): Promise<void> {
  return queries.prefetchQuery(itemsQuery);
}

/** The items of the catalogue: `GET /api/items`, fetched once. */
export function useItems(): UseQueryResult<Item[]> {
  return useQuery(itemsQuery);
}

/** What is left of each item by item id; `undefined` until the items are loaded. */
export function useStock(): ReadonlyMap<string, InStock> | undefined {
  const { data } = useItems();
  return useMemo(
    () => data && new Map(data.map(({ id, in_stock = true }) => [id, in_stock])),
    [data],
  );
}

/** The addresses of the items' pictures by item id; empty until the items are loaded. */
export function usePictures(): ReadonlyMap<string, string> {
  const { data } = useItems();
  return useMemo(() => new Map(data?.map(({ id, image_url }) => [id, image_url])), [data]);
}
