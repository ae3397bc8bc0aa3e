import type { Clock } from "../clock.ts";

/** The sharing window in milliseconds: two check intervals of a subscriber's loan. */
const WINDOW = 4_000;
/**
 * The minimum number of shares. Other processes may serve the same client, and a client that
 * arrives later must find calls left.
 */
const FEWEST_PARTS = 4;

/** Divides the provider calls about unverified loans among the clients that present them. */
export interface CallShares {
  /** Counts a call if the client may make one now. @returns whether it may */
  take(client: string): boolean;
  /** Uncounts a call that was not made, or whose loan belongs to its order. */
  release(client: string): void;
}

interface Client {
  wantedAt: number;
  taken: number[];
}

export function createCallShares(callsPerSecond: number, now: Clock): CallShares {
  /** Clients with calls in the window, most recent last. */
  const clients = new Map<string, Client>();

  function forgetBefore(time: number): void {
    for (const [name, { wantedAt }] of clients) {
      if (wantedAt > time) return;
      clients.delete(name);
    }
  }

  return {
    take(name) {
      const at = now();
      forgetBefore(at - WINDOW);
      const client = clients.get(name) ?? { wantedAt: at, taken: [] };
      clients.delete(name);
      clients.set(name, client);
      client.wantedAt = at;
      client.taken = client.taken.filter((time) => time > at - WINDOW);
      const parts = Math.max(FEWEST_PARTS, clients.size + 1);
      const share = Math.max(1, Math.floor((callsPerSecond * WINDOW) / 1000 / parts));
      if (client.taken.length >= share) return false;
      client.taken.push(at);
      return true;
    },
    release(name) {
      clients.get(name)?.taken.pop();
    },
  };
}
