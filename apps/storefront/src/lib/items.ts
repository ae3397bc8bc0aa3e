import { call, decodeAnswer } from "@keepsats/client";
import { type Item, itemsSchema, type StockByItem, shopPaths } from "@keepsats/protocol";
import { type QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

declare global {
  interface Window {
    /** The first `GET /api/items`, which `index.html` sends before the code has loaded. */
    itemsRequest?: Promise<Response> | undefined;
  }
}

async function loadItems({ signal }: { signal: AbortSignal }): Promise<Item[]> {
  const { itemsRequest } = window;
  // A retry needs a new request.
  window.itemsRequest = undefined;
  try {
    if (itemsRequest !== undefined)
      return await decodeAnswer(await itemsRequest, itemsSchema, shopPaths.items);
    return await call({ path: shopPaths.items, answer: itemsSchema, signal });
  } catch (error) {
    if (!signal.aborted) console.error("Failed to load items", error);
    throw error;
  }
}

const itemsQuery = { queryKey: [shopPaths.items], queryFn: loadItems };

/** Never rejects: {@link useItems} loads the items again. */
export function prefetchItems(queries: QueryClient): Promise<void> {
  return queries.prefetchQuery(itemsQuery);
}

/** `GET /api/items`, fetched once. */
export function useItems(): UseQueryResult<Item[]> {
  return useQuery(itemsQuery);
}

/** `undefined` until the items are loaded. */
export function useStock(): StockByItem | undefined {
  const { data } = useItems();
  return useMemo(
    () => data && new Map(data.map(({ id, in_stock = true }) => [id, in_stock])),
    [data],
  );
}

/** The URLs of the pictures by item id; empty until the items are loaded. */
export function usePictures(): ReadonlyMap<string, string> {
  const { data } = useItems();
  return useMemo(() => new Map(data?.map(({ id, image_url }) => [id, image_url])), [data]);
}
