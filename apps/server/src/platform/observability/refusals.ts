import { isIP } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { Counter } from "prom-client";

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

/** The interval at which further refusals are logged, in milliseconds. */
const LOG_INTERVAL = 60_000;
/**
 * The maximum number of kinds and addresses counted separately. Further addresses are logged as
 * "others", as are keys that are not IP addresses, because they may be personal.
 */
const MAX_ADDRESSES = 1_000;

/** Whether a key is an IP address or a /64 network, such as `2001:db8:1:2`. */
function isNetwork(key: string): boolean {
  return isIP(key) !== 0 || /^(?:[\da-f]{1,4}:){3}[\da-f]{1,4}$/.test(key);
}

/**
 * Counts refused requests and logs them: the first of an address at once, further ones once a
 * minute with their count.
 */
export function createRefusalLog(log: FastifyBaseLogger, refused: Counter<"kind">) {
  /** Counts since the last log line about a kind and an address. */
  const further = new Map<string, { kind: RequestRefusal; address: string; count: number }>();

  function write(kind: RequestRefusal, address: string, count: number): void {
    log.warn({ kind, address, count }, "requests are refused");
  }

  /** An address is forgotten after an interval without refusals. */
  function writeFurther(): void {
    for (const [key, entry] of further) {
      if (entry.count > 0) write(entry.kind, entry.address, entry.count);
      else further.delete(key);
      entry.count = 0;
    }
  }

  const timer = setInterval(writeFurther, LOG_INTERVAL).unref();
  return {
    refused(kind: RequestRefusal, network: string): void {
      refused.inc({ kind });
      const hasPlace = further.size < MAX_ADDRESSES || further.has(`${kind} ${network}`);
      const address = hasPlace && isNetwork(network) ? network : "others";
      const entry = further.get(`${kind} ${address}`);
      if (entry !== undefined) {
        entry.count += 1;
        return;
      }
      further.set(`${kind} ${address}`, { kind, address, count: 0 });
      write(kind, address, 1);
    },
    /** Logs the counts that have not been logged yet. */
    close(): void {
      clearInterval(timer);
      writeFurther();
    },
  };
}
