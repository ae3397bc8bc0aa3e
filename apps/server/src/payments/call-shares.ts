import type { Clock } from "../clock.ts";

/** The time over which calls are shared, in milliseconds: two intervals at which a follower's loan asks for one. */
const WINDOW = 4_000;
/**
 * The fewest parts that the calls are divided into: other processes may serve the same client, and a client that comes later
 * finds calls left.
 */
const FEWEST_PARTS = 4;

/** Shares the calls about loans that may be invented between the clients that present them. */
export interface CallShares {
  /** @returns whether the client may ask now; if so, it is counted */
  take(client: string): boolean;
  /** A call was not made, or the loan belongs to its order: it counts no longer. */
  release(client: string): void;
}

interface Client {
  wantedAt: number;
  /** When its counted calls were taken. */
  taken: number[];
}

/** Creates {@link CallShares} of this process. */
export function createCallShares(callsPerSecond: number, now: Clock): CallShares {
  /** Those that have asked within the window; the last one to ask comes last. */
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
