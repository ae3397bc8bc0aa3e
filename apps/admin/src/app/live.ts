import { jitteredBackoff, openSocket } from "@keepsats/client";
import {
  type AdminTopic,
  adminMessageSchema,
  adminTopics,
  paths,
  SESSION_ENDED,
} from "@keepsats/protocol";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sessionKey } from "../lib/queries.ts";

export type LiveState = "connecting" | "live" | "down";

/** In milliseconds. */
const FIRST_RECONNECT_DELAY = 500;
const MAX_RECONNECT_DELAY = 20_000;
/** The minimum time between two refetches, in milliseconds. */
const THROTTLE = 1_000;
/** How long the server caches figures, in milliseconds. */
const FIGURES_AGE = 5_000;

/**
 * Keeps queries up to date while staff are signed in: refetches all queries after each connection,
 * then the affected ones after each change.
 *
 * @param onReady called after each connection; must be a stable function
 * @returns the state of the connection; `live` once everything is refetched
 */
export function useLive(onReady: () => void): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const refetcher = createThrottledRefetch(client);
    let connection = 0;
    async function refetchAll(): Promise<void> {
      connection += 1;
      const current = connection;
      setState("connecting");
      await refetcher.refetchAll();
      if (current === connection) setState("live");
    }
    const close = openSocket({
      url: new URL(paths.auth.live, window.location.origin.replace(/^http/, "ws")),
      message: adminMessageSchema,
      reconnectDelay: (failures) =>
        jitteredBackoff(failures, FIRST_RECONNECT_DELAY, MAX_RECONNECT_DELAY),
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
        // The browser does not report why a socket was refused: the session may have ended.
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
 * Refetches the active queries of changed topics: immediately, then at most once a second, and
 * never one query twice at the same time. Inactive queries become stale.
 */
export function createThrottledRefetch(client: QueryClient) {
  const pending = new Set<Query>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;

  async function flush(options = { cancelRefetch: false }): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    // Not those that were removed since: a removed query may never become idle.
    const changed = new Set(client.getQueryCache().findAll({ predicate: isPending }));
    pending.clear();
    if (changed.size === 0) return;
    for (const query of changed) {
      // A fetch that began before the change may have missed it, so its query stays pending.
      if (query.state.fetchStatus !== "idle") pending.add(query);
    }
    pause = setTimeout(flush, THROTTLE);
    await client.invalidateQueries({ predicate: (query) => changed.has(query) }, options);
  }

  const isPending = (query: Query) => pending.has(query);

  function add(topics: readonly AdminTopic[]): void {
    const isChanged = ({ meta }: Query) =>
      meta?.topics?.some((one) => topics.includes(one)) === true;
    for (const query of client.getQueryCache().findAll({ predicate: isChanged }))
      pending.add(query);
  }

  function refetch(topics: readonly AdminTopic[]): void {
    add(topics);
    if (pause === undefined) void flush();
  }

  function refetchFiguresLater(): void {
    clearTimeout(later);
    later = setTimeout(() => refetch(["figures"]), FIGURES_AGE);
  }

  return {
    refetch(topics: readonly AdminTopic[]): void {
      refetch(topics);
      if (topics.includes("figures")) refetchFiguresLater();
    },
    /**
     * Refetches everything, including what is being fetched: that fetch may have begun before the
     * connection. Resolves after the last fetch, also after a failure.
     */
    refetchAll(): Promise<void> {
      refetchFiguresLater();
      add(adminTopics);
      return flush({ cancelRefetch: true });
    },
    stop(): void {
      clearTimeout(pause);
      clearTimeout(later);
    },
  };
}
