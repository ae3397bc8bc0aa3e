import { call } from "@keepsats/client";
import { type AdminDelivery, deliveriesSchema } from "@keepsats/protocol";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { deliveryRefetchInterval, retryDelivery } from "../../../lib/deliveries.ts";
import { filledParameters, withParameters } from "../../../lib/parameters.ts";

/**
 * How often a list that may change without a live message is refetched, in milliseconds: the server
 * sends none when a delivery ends.
 */
export const SILENT_CHANGES_INTERVAL = 15_000;

/** The deliveries of a list, newest first. */
export function deliveriesQuery(path: string) {
  return infiniteQueryOptions({
    queryKey: ["deliveries", path],
    meta: { topics: ["deliveries"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => readPage(path, pageParam, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      deliveryRefetchInterval(state.data?.pages.flatMap(({ deliveries }) => deliveries) ?? []) ||
      SILENT_CHANGES_INTERVAL,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
}

/** @param cursor empty for the first page */
function readPage(path: string, cursor: string, signal?: AbortSignal) {
  const page = withParameters(path, filledParameters({ cursor }));
  return call({ path: page, answer: deliveriesSchema, signal });
}

/**
 * Retries all failed deliveries of a list, oldest first, including those that are not shown yet.
 *
 * @param path of the list: `paths.admin.deliveries`, or `paths.admin.webhookDeliveries` of a
 *   webhook
 * @param key as for {@link retryDelivery}
 */
export async function retryFailedDeliveries(path: string, key: string): Promise<void> {
  const failed = await failedDeliveriesAt(path);
  for (const { id } of failed.toReversed()) await retryDelivery(id, key);
}

async function failedDeliveriesAt(path: string): Promise<AdminDelivery[]> {
  const failed: AdminDelivery[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { deliveries, next_cursor } = await readPage(path, cursor);
    failed.push(...deliveries.filter(({ state }) => state === "failed"));
    cursor = next_cursor;
  }
  return failed;
}
