import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followChanges } from "./live.ts";
import { createApplyChanges, readEverything, sessionKey } from "./queries.ts";

export type LiveState = "connecting" | "live" | "down";

/**
 * Keeps what is shown up to date while somebody is signed in.
 *
 * @param onReady is called each time when the connection stands, before the state changes; it stays
 *   the same function
 * @returns the state of the connection
 */
export function useLive(onReady: () => void): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(
    () =>
      followChanges({
        host: window.location.origin,
        events: {
          onReady() {
            onReady();
            setState("live");
            readEverything(client);
          },
          onChanged: createApplyChanges(client),
          onDown() {
            setState("down");
            // A socket that is refused does not say why: the session may have ended.
            void client.invalidateQueries({ queryKey: sessionKey });
          },
          onSessionEnded: () => void client.setQueryData(sessionKey, null),
        },
      }),
    [client, onReady],
  );
  return state;
}
