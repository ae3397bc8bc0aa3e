import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../clock.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Refusal } from "../http/refusal.ts";

/** How often one kind of refusal is logged for one address at the most, in milliseconds. */
const SELDOM = 60_000;
/** How often it is looked whether something is to be logged, in milliseconds. */
const LOOK = 5_000;
/** How many addresses are told apart; what further ones do is logged together. */
const MOST = 1_000;

interface Heard {
  readonly kind: Refusal;
  readonly address: string;
  /** Since it was logged last. */
  count: number;
  loggedAt: number;
}

/** Counts what was refused to whom, and logs it: the first of an address at once, the next ones once a minute. */
export function hearRefusals({
  log,
  metrics,
  now,
}: {
  log: FastifyBaseLogger;
  metrics: Pick<Metrics, "refusals">;
  now: Clock;
}) {
  const known = new Map<string, Heard>();

  function write(heard: Heard): void {
    const { kind, address, count } = heard;
    log.warn({ kind, address, count }, "requests are refused");
    heard.count = 0;
    heard.loggedAt = now();
  }

  function look(): void {
    for (const [key, heard] of known) {
      if (now() - heard.loggedAt < SELDOM) continue;
      if (heard.count > 0) write(heard);
      else known.delete(key);
    }
  }

  const looking = setInterval(look, LOOK);
  looking.unref();
  return {
    /** @param network the address, or the network, that was refused */
    refused(kind: Refusal, network: string): void {
      metrics.refusals.inc({ kind });
      const address = known.size < MOST || known.has(`${kind} ${network}`) ? network : "others";
      const key = `${kind} ${address}`;
      const heard = known.get(key);
      if (heard !== undefined) {
        heard.count += 1;
        return;
      }
      const first = { kind, address, count: 1, loggedAt: now() };
      known.set(key, first);
      write(first);
    },
    /** Logs what has not been logged yet. */
    close(): void {
      clearInterval(looking);
      for (const heard of known.values()) if (heard.count > 0) write(heard);
    },
  };
}
