import { isIP } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../clock.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Refusal } from "../http/refusal.ts";

/** The least time between two log lines for one kind and address, in milliseconds. */
const LOG_INTERVAL = 60_000;
/** How often counts are looked through for lines to log, in milliseconds. */
const FLUSH_INTERVAL = 5_000;
/**
 * The maximum number of kinds and addresses counted separately. Further addresses are logged
 * together as "others". So are keys that are not IP addresses, because they may be personal.
 */
const MAX_ADDRESSES = 1_000;

interface Refused {
  readonly kind: Refusal;
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
  metrics,
  now,
}: {
  log: FastifyBaseLogger;
  metrics: Pick<Metrics, "refusals">;
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
    /** @param network the IPv4 address, or the /64 network of the IPv6 address, that was refused */
    refused(kind: Refusal, network: string): void {
      metrics.refusals.inc({ kind });
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
