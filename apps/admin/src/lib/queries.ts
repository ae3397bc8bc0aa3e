import { call, retryWhileUnavailable } from "@keepsats/client";
import {
  type AdminOrder,
  type AdminTopic,
  adminOrderSchema,
  type CurrentSession,
  hasPermission,
  type OrderMove,
  orderMoveAnswerSchema,
  orderPageSchema,
  type PackingOrder,
  packingOrderPageSchema,
  packingOrderSchema,
  paths,
  type Role,
  signInOptionsSchema,
  todaySchema,
  withId,
} from "@keepsats/protocol";
import { QueryCache, QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { apiQuery, isSignedOut, post } from "./api.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** The topics that the query shows. It is refetched when one of them changes. */
      readonly topics?: readonly AdminTopic[];
    };
  }
}

export const sessionKey = ["session"];

/** Whether the shop emails sign-in links. */
export const signInOptionsQuery = apiQuery(paths.auth.signIn, signInOptionsSchema, []);

/** The key of unsaved input, which is kept for its author when their session ends. */
export function draftKeyOf(staffId: string | undefined, key: QueryKey): QueryKey {
  return [...sessionKey, "draft", staffId, ...key];
}

/**
 * Live messages refetch the queries, see `app/live.ts`. With `networkMode: "always"` a call fails
 * immediately while the browser is offline, instead of waiting silently.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      // The first query that learns of the session's end shows the sign-in screen.
      onError: (error) => {
        if (isSignedOut(error)) client.setQueryData(sessionKey, null);
      },
    }),
    defaultOptions: {
      queries: {
        ...retryWhileUnavailable,
        networkMode: "always",
        staleTime: 60_000,
        gcTime: 300_000,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: "always" },
    },
  });
  forgetAfterSession(client);
  return client;
}

/** Removes all loaded data as soon as the session ends or belongs to another member of staff. */
function forgetAfterSession(client: QueryClient): void {
  const isSession = (key: QueryKey) => key[0] === sessionKey[0];
  let known: string | undefined;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated" || !isSession(query.queryKey)) return;
    const current = client.getQueryData<CurrentSession | null>(sessionKey)?.staff.id;
    if (current === known) return;
    known = current;
    client.removeQueries({ predicate: ({ queryKey }) => !isSession(queryKey) });
  });
}

/** Open tasks and figures of the shop, including the number of orders in each status. */
export const todayQuery = apiQuery(paths.admin.today, todaySchema, [
  "figures",
  "payment_issues",
  "deliveries",
  "items",
  "settings",
]);

/** An order as a role may see it: packers get no more than a {@link PackingOrder}. */
export type OrderView = AdminOrder | PackingOrder;

/** @param id the order's id or a prefix of it */
export function orderQuery(id: string, role: Role) {
  return queryOptions({
    queryKey: ["order", id, role],
    // An order shows its deliveries and its payment issues.
    meta: { topics: ["orders", "deliveries", "payment_issues"] },
    queryFn: ({ signal }): Promise<OrderView> =>
      hasPermission(role, "orders:read")
        ? readOrder(id, signal)
        : call({ path: withId(paths.admin.packingOrder, id), answer: packingOrderSchema, signal }),
  });
}

export function readOrder(id: string, signal?: AbortSignal) {
  return call({ path: withId(paths.admin.order, id), answer: adminOrderSchema, signal });
}

export function moveOrder(id: string, body: OrderMove) {
  return post(withId(paths.admin.transitions, id), body, orderMoveAnswerSchema);
}

/** A page of the list of orders, or of those to pack if the role permits only packing. */
export async function readOrderPage(role: Role, query: URLSearchParams, signal: AbortSignal) {
  return hasPermission(role, "orders:read")
    ? call({ path: `${paths.admin.orders}?${query}`, answer: orderPageSchema, signal })
    : call({
        path: `${paths.admin.packingOrders}?${query}`,
        answer: packingOrderPageSchema,
        signal,
      });
}
