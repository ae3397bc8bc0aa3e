import { call } from "@keepsats/client";
import { type AdminDelivery, deliveriesSchema, paths, withId } from "@keepsats/protocol";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { deliveryRefetchInterval, retryDelivery } from "../../../lib/deliveries.ts";

/**
 * How often a list that may change without a live message is refetched, in milliseconds: the server
 * sends none when a delivery ends.
 */
export const SILENT_CHANGES_INTERVAL = 15_000;

/** The failed deliveries, newest first. A retried one leaves the list until it fails again. */
export const failedDeliveriesQuery = deliveriesQuery(
  ["failed"],
  paths.admin.deliveries,
  SILENT_CHANGES_INTERVAL,
);

/** The deliveries to a webhook, newest first. */
export function webhookDeliveriesQuery(id: string) {
  const path = withId(paths.admin.webhookDeliveries, id);
  return deliveriesQuery(["webhook-deliveries", id], path, false);
}

/** The keys of both lists. */
export const deliveriesKeys = [["failed"], ["webhook-deliveries"]];

/** @param idleInterval the refetch interval in milliseconds while no delivery is waiting */
function deliveriesQuery(queryKey: readonly string[], path: string, idleInterval: number | false) {
  return infiniteQueryOptions({
    queryKey,
    meta: { topics: ["deliveries"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const page =
        pageParam === "" ? path : `${path}?${new URLSearchParams({ cursor: pageParam })}`;
      return call({ path: page, answer: deliveriesSchema, signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      deliveryRefetchInterval(
        state.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [],
        Date.now(),
      ) || idleInterval,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
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
    const query = new URLSearchParams(cursor === "" ? {} : { cursor });
    const page: { deliveries: AdminDelivery[]; next_cursor: string | null } = await call({
      path: `${path}?${query}`,
      answer: deliveriesSchema,
    });
    failed.push(...page.deliveries.filter(({ state }) => state === "failed"));
    cursor = page.next_cursor;
  }
  return failed;
}
