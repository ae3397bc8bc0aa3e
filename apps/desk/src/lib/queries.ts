import { call, retryWhileUnavailable } from "@keepsats/client";
import {
  type DeskSession,
  type DeskTopic,
  merchantOrderSchema,
  paths,
  todaySchema,
  withId,
} from "@keepsats/protocol";
import { QueryCache, QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { isSignedOut } from "./api.ts";
import { rereadAfter } from "./deliveries.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** What the query shows: it is refetched when one of them has changed. */
      readonly topics?: readonly DeskTopic[];
      /**
       * The key of changes that the query shows before they are stored. It is not refetched while
       * one is pending, because the answer may lack it.
       */
      readonly mutationKey?: QueryKey;
    };
  }
}

export const sessionKey = ["session"];
/** Whether somebody has signed out here; see `useSessionEnd`. */
export const signedOutKey = [...sessionKey, "signed-out"];

/** The key of what a member of staff has typed: it stays when their session ends. */
export function draftKeyOf(staffId: string | undefined, key: QueryKey): QueryKey {
  return [...sessionKey, "draft", staffId, ...key];
}

/**
 * Queries are refetched when a live message says that they have changed, see `live.ts`. With
 * `networkMode: "always"` a call fails at once while the browser is offline, instead of waiting
 * unseen.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      // Whichever query learns first that the session has ended, the sign-in screen appears.
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
  // It is read without an observer, which would keep it.
  client.setQueryDefaults(signedOutKey, { gcTime: Number.POSITIVE_INFINITY });
  return client;
}

/**
 * Forgets everything that was read for somebody as soon as nobody, or somebody else, is signed in:
 * however that was learned.
 */
function forgetAfterSession(client: QueryClient): void {
  const isSession = (key: QueryKey) => key[0] === sessionKey[0];
  let known: string | undefined;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated" || !isSession(query.queryKey)) return;
    const present = client.getQueryData<DeskSession | null>(sessionKey)?.staff.id;
    if (present === known) return;
    known = present;
    client.removeQueries({ predicate: ({ queryKey }) => !isSession(queryKey) });
  });
}

/**
 * What is to do, and the figures of the shop. The numbers beside the statuses of orders come from
 * it too.
 */
export const todayQuery = queryOptions({
  queryKey: ["today"],
  meta: { topics: ["figures", "payment_issues", "deliveries", "items"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.today, answer: todaySchema, signal }),
});

/**
 * One order with everything that is known about it. @param id its id, or the beginning of it, which
 * is not live
 */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: ["order", id],
    // Its emails and its money change with the other topics.
    meta: { topics: ["orders", "deliveries", "payment_issues"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.merchant.order, id), answer: merchantOrderSchema, signal }),
    refetchInterval: ({ state }) => rereadAfter(state.data?.deliveries ?? [], Date.now()),
  });
}
