import type { Clock } from "../../../platform/scheduling/clock.ts";
import { CALLS_PER_SECOND } from "./call-budget.ts";

/** The sharing window in milliseconds: two check intervals of a subscriber's loan. */
const WINDOW = 4_000;
/**
 * The fewest shares: other processes may serve the same client, and a client that arrives later
 * must find calls left.
 */
const MIN_SHARES = 4;

/** Divides the provider calls about unbound loans among the clients that present them. */
export function createCallShares(now: Clock) {
  /** Clients with calls in the window, most recent last. */
  const clients = new Map<string, { wantedAt: number; taken: number[] }>();

  function forgetBefore(time: number): void {
    for (const [name, { wantedAt }] of clients) {
      if (wantedAt > time) return;
      clients.delete(name);
    }
  }

  return {
    /** @returns whether the client may make a call now; if so, it is counted */
    take(name: string): boolean {
      const at = now();
      forgetBefore(at - WINDOW);
      const client = clients.get(name) ?? { wantedAt: at, taken: [] };
      clients.delete(name);
      clients.set(name, client);
      client.wantedAt = at;
      client.taken = client.taken.filter((time) => time > at - WINDOW);
      const parts = Math.max(MIN_SHARES, clients.size + 1);
      const share = Math.max(1, Math.floor((CALLS_PER_SECOND * WINDOW) / 1000 / parts));
      if (client.taken.length >= share) return false;
      client.taken.push(at);
      return true;
    },
    /** Uncounts a call that was not made, or whose loan belongs to its order. */
    release(name: string): void {
      clients.get(name)?.taken.pop();
    },
  };
}
