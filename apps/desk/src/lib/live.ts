import { backoff, openSocket } from "@keepsats/client";
import {
  type DeskTopic,
  deskMessageSchema,
  deskTopics,
  paths,
  SESSION_ENDED,
} from "@keepsats/protocol";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sessionKey } from "./queries.ts";

export type LiveState = "connecting" | "live" | "down";

/** All in milliseconds. */
const FIRST_RECONNECT_DELAY = 500;
const MAX_RECONNECT_DELAY = 20_000;
/** Between two refetches. */
const THROTTLE = 1_000;
/** The server may answer with figures that it has cached for this time. */
const FIGURES_AGE = 5_000;

/**
 * Keeps queries up to date while staff are signed in: refetches all of them after each connection,
 * and then those that have changed.
 *
 * @param onReady called after each connection; it stays the same function
 * @returns the state of the connection; `live` once everything was refetched
 */
export function useLive(onReady: () => void): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const refetcher = createThrottledRefetch(client);
    let connection = 0;
    async function refetchAll(): Promise<void> {
      connection += 1;
      const present = connection;
      setState("connecting");
      await refetcher.refetchAll();
      if (present === connection) setState("live");
    }
    const close = openSocket({
      url: new URL(paths.desk.live, window.location.origin.replace(/^http/, "ws")),
      message: deskMessageSchema,
      reconnectDelay: (failures) => backoff(failures, FIRST_RECONNECT_DELAY, MAX_RECONNECT_DELAY),
      onMessage(message) {
        switch (message.type) {
          case "ready":
            onReady();
            return void refetchAll();
          case "changed":
            return refetcher.refetch(message.data.topics);
          case "heartbeat":
        }
      },
      onDown() {
        connection += 1;
        setState("down");
        // A refused socket does not say why: the session may have ended.
        void client.invalidateQueries({ queryKey: sessionKey });
      },
      onClose(code) {
        if (code === SESSION_ENDED) client.setQueryData(sessionKey, null);
        return code === SESSION_ENDED;
      },
    });
    return () => {
      connection += 1;
      close();
      refetcher.stop();
    };
  }, [client, onReady]);
  return state;
}

/**
 * Refetches the shown queries of some topics: at once, then at most once a second, and never a
 * query twice at the same time. Queries that are not shown become stale.
 */
export function createThrottledRefetch(client: QueryClient) {
  const pending = new Set<Query>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;

  async function flush(options = { cancelRefetch: false }): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    const changed = new Set(client.getQueryCache().findAll({ predicate: isPending }));
    pending.clear();
    if (changed.size === 0) return;
    for (const query of changed) {
      const isEdited = isBeingEdited(query);
      // A fetch that began before the change may have missed it: its query stays for the next round.
      if (isEdited || query.state.fetchStatus !== "idle") pending.add(query);
      if (isEdited) changed.delete(query);
    }
    pause = setTimeout(flush, THROTTLE);
    await client.invalidateQueries({ predicate: (query) => changed.has(query) }, options);
  }
  const isBeingEdited = ({ meta }: Query) =>
    meta?.mutationKey !== undefined && client.isMutating({ mutationKey: meta.mutationKey }) > 0;
  const isPending = (query: Query) => pending.has(query);

  function add(topics: readonly DeskTopic[]): void {
    const isChanged = ({ meta }: Query) =>
      meta?.topics?.some((one) => topics.includes(one)) === true;
    for (const query of client.getQueryCache().findAll({ predicate: isChanged }))
      pending.add(query);
  }

  function refetch(topics: readonly DeskTopic[]): void {
    add(topics);
    if (pause === undefined) void flush();
  }

  function refetchFiguresLater(): void {
    clearTimeout(later);
    later = setTimeout(() => refetch(["figures"]), FIGURES_AGE);
  }

  return {
    refetch(topics: readonly DeskTopic[]): void {
      refetch(topics);
      if (topics.includes("figures")) refetchFiguresLater();
    },
    /**
     * Refetches all at once. A fetch that is under way is repeated, because it may have begun
     * before the connection. Ends with the last fetch, whether it succeeds or not.
     */
    refetchAll(): Promise<void> {
      refetchFiguresLater();
      add(deskTopics);
      return flush({ cancelRefetch: true });
    },
    stop(): void {
      clearTimeout(pause);
      clearTimeout(later);
    },
  };
}
