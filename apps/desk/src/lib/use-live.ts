import { retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followChanges } from "./live.ts";
import { createApplyChanges, sessionKey } from "./queries.ts";

export type LiveState = "connecting" | "live" | "down";

/**
 * Keeps what is shown up to date while somebody is signed in. Code that could not be loaded is loaded again with the next
 * render after the connection has come back.
 *
 * @returns the state of the connection
 */
export function useLive(): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(
    () =>
      followChanges({
        host: window.location.origin,
        events: {
          onReady() {
            retryFailedLoads();
            setState("live");
            void client.invalidateQueries();
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
    [client],
  );
  return state;
}
