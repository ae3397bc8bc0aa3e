import { retryWhileUnavailable } from "@keepsats/client";
import type { DeskSession, DeskTopic } from "@keepsats/protocol";
import { QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { isSignedOut } from "./api.ts";
import { createCalmReads } from "./calm-reads.ts";
import { noteChangedOrders } from "./changed-orders.ts";

/** What a query shows, so that {@link createApplyChanges} knows which queries a change concerns. */
interface QuerySubject {
  readonly topics?: readonly DeskTopic[];
  /** With the topic `orders`: only changes of this order concern it. */
  readonly order?: string;
  /**
   * It follows a change only after about a second, because the server brings searches and figures
   * up to date by and by.
   */
  readonly isLate?: boolean;
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: QuerySubject & Record<string, unknown>;
  }
}

export const sessionKey = ["session"];
/** Whether somebody has signed out here; see `useSessionEnd`. */
export const signedOutKey = [...sessionKey, "signed-out"];

/**
 * Queries are read again when a live message says that they have changed, and after each
 * connection. With `networkMode: "always"` a call fails at once while the browser is offline,
 * instead of waiting unseen.
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

/** What has changed, as a live message tells it. */
export interface Changes {
  readonly topics: readonly DeskTopic[];
  /** The ids of the changed orders; `undefined` if there are too many to be named. */
  readonly orders?: readonly string[] | undefined;
}

/** Whether changes concern what a query shows. */
export function concerns({ topics, orders }: Changes, subject: QuerySubject | undefined): boolean {
  return (subject?.topics ?? []).some((topic) => {
    if (!topics.includes(topic)) return false;
    const isNamed =
      subject?.order === undefined || orders === undefined || orders.includes(subject.order);
    return topic !== "orders" || isNamed;
  });
}

/**
 * When queries that are late are read again, in milliseconds after a change: a busy server takes
 * longer.
 */
const LATE_READS = [1_500, 5_000, 15_000];

/**
 * Reads anew what is shown and has changed, calmly; what is not shown is read when it is shown
 * next.
 */
export function createApplyChanges(client: QueryClient): (changes: Changes) => void {
  const readCalmly = createCalmReads(client);
  const readAll = (isConcerned: (meta: QuerySubject | undefined) => boolean) => {
    for (const query of client.getQueryCache().getAll())
      if (isConcerned(query.meta)) readCalmly(query);
  };
  const laterReads = LATE_READS.map((delay) => collectLate(delay, readAll));
  return (changes) => {
    if (changes.topics.includes("orders")) noteChangedOrders(client, changes.orders);
    readAll((meta) => concerns(changes, meta));
    for (const readLater of laterReads) readLater(changes);
  };
}

/** Reads everything anew: what has changed is not known, because there was no connection. */
export function readEverything(client: QueryClient): void {
  noteChangedOrders(client, undefined);
  void client.invalidateQueries();
}

type ReadAll = (isConcerned: (meta: QuerySubject | undefined) => boolean) => void;

/**
 * Reads late queries for all changes of some time together. @param delay that time, in milliseconds
 */
function collectLate(delay: number, readAll: ReadAll): (changes: Changes) => void {
  let collected: { readonly at: number; readonly changes: Changes }[] = [];

  function read(): void {
    const readings = collected;
    const now = performance.now();
    // The server may not have followed the changes of the last moments yet.
    collected = readings.filter(({ at }) => now - at < delay);
    if (collected.length > 0) setTimeout(read, delay);
    readAll(
      (meta) => meta?.isLate === true && readings.some(({ changes }) => concerns(changes, meta)),
    );
  }
  return (changes) => {
    if (collected.length === 0) setTimeout(read, delay);
    collected.push({ at: performance.now(), changes });
  };
}
