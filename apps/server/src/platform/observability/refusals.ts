import { isIP } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { Counter } from "prom-client";
import type { Clock } from "../scheduling/clock.ts";

/**
 * The reasons of refused requests. An address is over its limit of orders, sockets, wrong API
 * tokens, wrong order keys, failed sign-ins or emailed links; or a token, key or sign-in was wrong.
 */
export const refusals = [
  "orders",
  "orders-daily",
  "sockets",
  "open-sockets",
  "tokens",
  "wrong-token",
  "order-keys",
  "wrong-key",
  "sign-in-cookies",
  "sign-in-links",
  "sign-in-passkeys",
  "sign-in-emails",
  "sign-in-email-address",
  "sign-in-email-address-daily",
  "wrong-sign-in",
] as const;
export type RequestRefusal = (typeof refusals)[number];

/** @param network the IPv4 address, or the /64 network of the IPv6 address */
export type OnRefused = (kind: RequestRefusal, network: string) => void;

/** The minimum interval between two log lines of one kind and address, in milliseconds. */
const LOG_INTERVAL = 60_000;
/** How often the counts are checked for lines to log, in milliseconds. */
const FLUSH_INTERVAL = 5_000;
/**
 * The maximum number of kinds and addresses counted separately. Further addresses are logged as
 * "others", as are keys that are not IP addresses, because they may be personal.
 */
const MAX_ADDRESSES = 1_000;

interface Refused {
  readonly kind: RequestRefusal;
  readonly address: string;
  /** The number of refusals since the last log line. */
  count: number;
  loggedAt: number;
}

/** Whether a key is an IP address or a /64 network, such as `2001:db8:1:2`. */
function isNetwork(key: string): boolean {
  return isIP(key) !== 0 || /^(?:[\da-f]{1,4}:){3}[\da-f]{1,4}$/.test(key);
}

/**
 * Counts refused requests and logs them: the first of an address at once, further ones once a
 * minute with their count.
 */
export function createRefusalLog({
  log,
  refused,
  now,
}: {
  log: FastifyBaseLogger;
  refused: Counter<"kind">;
  now: Clock;
}) {
  const entries = new Map<string, Refused>();

  function write(entry: Refused): void {
    const { kind, address, count } = entry;
    log.warn({ kind, address, count }, "requests are refused");
    entry.count = 0;
    entry.loggedAt = now();
  }

  function flush(): void {
    for (const [key, entry] of entries) {
      if (now() - entry.loggedAt < LOG_INTERVAL) continue;
      if (entry.count > 0) write(entry);
      else entries.delete(key);
    }
  }

  const timer = setInterval(flush, FLUSH_INTERVAL);
  timer.unref();
  return {
    refused(kind: RequestRefusal, network: string): void {
      refused.inc({ kind });
      const hasPlace = entries.size < MAX_ADDRESSES || entries.has(`${kind} ${network}`);
      const isSeparate = hasPlace && isNetwork(network);
      const address = isSeparate ? network : "others";
      const key = `${kind} ${address}`;
      const entry = entries.get(key);
      if (entry !== undefined) {
        entry.count += 1;
        return;
      }
      const first = { kind, address, count: 1, loggedAt: now() };
      entries.set(key, first);
      write(first);
    },
    /** Logs the counts that have not been logged yet. */
    close(): void {
      clearInterval(timer);
      for (const entry of entries.values()) if (entry.count > 0) write(entry);
    },
  };
}
