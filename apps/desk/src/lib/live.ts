import { backoff, openSocket } from "@keepsats/client";
import { deskMessageSchema, paths, SESSION_ENDED } from "@keepsats/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createApplyChanges, readEverything, sessionKey } from "./queries.ts";

export type LiveState = "connecting" | "live" | "down";

/** In milliseconds. */
const FIRST_RECONNECT_DELAY = 500;
const MAX_RECONNECT_DELAY = 20_000;

/**
 * Refetches queries that have changed in the shop, while staff are signed in.
 *
 * @param onReady called before each change to `live`; it stays the same function
 * @returns the state of the connection
 */
export function useLive(onReady: () => void): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    const applyChanges = createApplyChanges(client);
    return openSocket({
      url: new URL(paths.desk.live, window.location.origin.replace(/^http/, "ws")),
      message: deskMessageSchema,
      reconnectDelay: (failures) => backoff(failures, FIRST_RECONNECT_DELAY, MAX_RECONNECT_DELAY),
      onMessage(message) {
        switch (message.type) {
          case "ready":
            onReady();
            setState("live");
            return readEverything(client);
          case "changed":
            return applyChanges(message.data);
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
  }, [client, onReady]);
  return state;
}
