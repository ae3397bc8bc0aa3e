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
 * @param onReady called before each change to `live`; it stays the same function
 * @returns the state of the connection
 */
export function useLive(onReady: () => void): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const refetcher = createThrottledRefetch(client);
    const close = openSocket({
      url: new URL(paths.desk.live, window.location.origin.replace(/^http/, "ws")),
      message: deskMessageSchema,
      reconnectDelay: (failures) => backoff(failures, FIRST_RECONNECT_DELAY, MAX_RECONNECT_DELAY),
      onMessage(message) {
        switch (message.type) {
          case "ready":
            onReady();
            setState("live");
            return refetcher.refetch(deskTopics);
          case "changed":
            return refetcher.refetch(message.data.topics);
          case "heartbeat":
        }
      },
      onDown() {
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
  const pending = new Set<DeskTopic>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    pause = undefined;
    if (pending.size === 0) return;
    const topics = new Set(pending);
    const filters = {
      predicate: ({ meta }: Query) => meta?.topics?.some((topic) => topics.has(topic)) === true,
    };
    // A fetch that began before the change may have missed it: its topics stay for the next round.
    if (client.isFetching(filters) === 0) pending.clear();
    void client.invalidateQueries(filters, { cancelRefetch: false });
    pause = setTimeout(flush, THROTTLE);
  }

  function refetch(topics: readonly DeskTopic[]): void {
    for (const topic of topics) pending.add(topic);
    if (pause === undefined) flush();
  }

  return {
    refetch(topics: readonly DeskTopic[]): void {
      refetch(topics);
      if (!topics.includes("figures")) return;
      clearTimeout(later);
      later = setTimeout(() => refetch(["figures"]), FIGURES_AGE);
    },
    stop(): void {
      clearTimeout(pause);
      clearTimeout(later);
    },
  };
}
