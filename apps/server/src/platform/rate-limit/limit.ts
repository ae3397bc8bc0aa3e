import type { FastifyBaseLogger } from "fastify";
import ipaddr from "ipaddr.js";
import { reasonOf } from "../errors.ts";
import { type Clock, MINUTE, withTimeout } from "../scheduling/clock.ts";

/**
 * Counts one request of an address.
 *
 * @returns `undefined` if it is allowed, otherwise the seconds until the next one is
 */
export type Limit = (address: string) => Promise<number | undefined>;

/**
 * A rate limit. Example: `{ kind: "orders", max: 30, window: MINUTE }` allows 30 orders a minute
 * per address.
 */
export interface Rule<Kind extends string = string> {
  readonly kind: Kind;
  /** The most requests in one window. */
  readonly max: number;
  /** The length of the window, in milliseconds. */
  readonly window: number;
}

interface LimitOptions<Kind extends string> {
  readonly counters: WindowCounters;
  readonly now: Clock;
  /**
   * Called for every refused request with the exceeded rule and the network of its address, see
   * {@link networkOf}.
   */
  readonly onRefused: (kind: Kind, network: string) => void;
}

/** The maximum number of refused addresses in memory. */
const MAX_REFUSED = 10_000;

/**
 * Creates a rate limit per address; a request must satisfy all rules. Requests of a refused address
 * are not counted until its window ends: a flood in one minute does not use up the daily limit, and
 * causes no queries.
 */
export function createLimit<Kind extends string>(
  rules: readonly Rule<Kind>[],
  { counters, now, onRefused }: LimitOptions<Kind>,
): Limit {
  const refused = new Map<string, { kind: Kind; until: number }>();

  function refuse(network: string, kind: Kind, until: number): number {
    onRefused(kind, network);
    return Math.max(1, Math.ceil((until - now()) / 1000));
  }

  return async (address) => {
    const network = networkOf(address);
    const known = refused.get(network);
    if (known !== undefined && known.until > now()) return refuse(network, known.kind, known.until);
    refused.delete(network);
    // Concurrently, so that one database statement counts for all rules.
    const counts = await Promise.all(
      rules.map(async ({ kind, max, window }) => {
        const { count, endsIn } = await counters.count(`${kind}:${network}`, window);
        return { kind, endsIn, isOver: count > max };
      }),
    );
    const over = counts.find(({ isOver }) => isOver);
    if (over === undefined) return undefined;
    const until = now() + over.endsIn;
    if (refused.size >= MAX_REFUSED) refused.clear();
    refused.set(network, { kind: over.kind, until });
    return refuse(network, over.kind, until);
  };
}

/**
 * The unit that rate limits count: an IPv4 address, or the /64 network of an IPv6 address, because
 * one customer usually has a whole /64. Example: `2001:db8:1:2:3::4` → `2001:db8:1:2`.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

/** The current window of a key. */
export interface CountWindow {
  /** The number of requests, including the one just counted. */
  readonly count: number;
  /** In milliseconds. */
  readonly endsIn: number;
}

/** Fixed-window counters by key, such as `orders:203.0.113.7`. */
export interface WindowCounters {
  /** Counts one request. A window of `length` milliseconds begins with the first request in it. */
  count(key: string, length: number): Promise<CountWindow>;
  close(): Promise<void>;
}

/** The maximum number of windows in memory: about 40 MB. */
const MAX_WINDOWS = 200_000;

/**
 * Counters in the memory of this process.
 *
 * @param maxWindows another window replaces the oldest
 */
export function createWindowCounters(now: Clock, maxWindows = MAX_WINDOWS): WindowCounters {
  /** Maps keep insertion order, so the first window is the oldest. */
  const windows = new Map<string, { count: number; readonly endsAt: number }>();

  function deleteEnded(): void {
    const time = now();
    for (const [key, { endsAt }] of windows) if (endsAt <= time) windows.delete(key);
  }

  const deleting = setInterval(deleteEnded, MINUTE).unref();
  return {
    async count(key, length) {
      const time = now();
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= time) {
        windows.delete(key);
        const [oldest] = windows.keys();
        if (oldest !== undefined && windows.size >= maxWindows) windows.delete(oldest);
        window = { count: 0, endsAt: time + length };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsIn: window.endsAt - time };
    },
    close: async () => clearInterval(deleting),
  };
}

/** The timeout of the shared counters, in milliseconds; after it this process counts by itself. */
const SHARED_TIMEOUT = 500;

/**
 * Counts with `shared`, and with `local` if that fails or times out: while PostgreSQL is unavailable,
 * requests are served, and each process applies the limits by itself.
 */
export function withLocalFallback(
  shared: WindowCounters,
  local: WindowCounters,
  onFallback: (error: unknown) => void,
): WindowCounters {
  return {
    async count(key, length) {
      try {
        return await withTimeout(shared.count(key, length), SHARED_TIMEOUT, "the shared counter");
      } catch (error) {
        onFallback(error);
        return local.count(key, length);
      }
    },
    close: async () => {
      await Promise.all([shared.close(), local.close()]);
    },
  };
}

/** Logs, at most once a minute, that the shared counters of the rate limits fail. */
export function logLimitFallback(log: FastifyBaseLogger): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAt < MINUTE) return;
    loggedAt = performance.now();
    log.warn(
      { why: reasonOf(error) },
      "the shared rate limits cannot be counted; each process counts by itself",
    );
  };
}
