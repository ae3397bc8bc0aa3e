import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { Answer, NotUnderstood, ProviderState } from "../payments/index.ts";

interface Dependencies {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** Stores the state for the other processes. */
  readonly store: (state: ProviderState) => void;
}

/** The least time between two times that an unchanged state is stored, in milliseconds. */
const STORE_INTERVAL = 30_000;
/** A clock that is further off than this, in milliseconds, is logged. */
const CLOCK_TOLERANCE = 5 * 60_000;

/**
 * Counts the provider's answers, and logs when it cannot be reached any more and when it answers
 * again.
 */
export function createProviderLog({ log, metrics, store }: Dependencies) {
  let state: ProviderState = "not asked yet";
  let storedAt = Number.NEGATIVE_INFINITY;
  let offset: number | undefined;
  let isClockLogged = false;

  function become(next: ProviderState): void {
    if (next === state && performance.now() - storedAt < STORE_INTERVAL) return;
    state = next;
    storedAt = performance.now();
    store(next);
  }

  return {
    answered(answer: Answer<unknown>): void {
      metrics.providerCalls.inc({ outcome: answer.kind });
      switch (answer.kind) {
        case "unavailable": {
          const hint = answer.isKeyRefused === true ? "; is LOAN_API_KEY right?" : "";
          if (state !== "away")
            log.warn({ why: answer.why }, `the loan provider gives no usable answer${hint}`);
          return become("away");
        }
        case "found":
        case "absent":
          if (state === "away") log.warn("the loan provider answers again");
          return become("ok");
        case "deferred":
          return;
      }
    },
    notUnderstood(entries: readonly NotUnderstood[]): void {
      metrics.notUnderstood.inc(entries.length);
    },
    /** A loan was changed in the future, in epoch milliseconds, according to the provider. */
    futureTime(loan: string, time: number): void {
      log.warn(
        { loan, time: new Date(time).toISOString() },
        "the provider reports a time of change in the future; it counts as now",
      );
    },
    /** Compares the provider's time, in epoch milliseconds, with this machine's. */
    providerTime(time: number): void {
      offset = Date.now() - time;
      const isOff = Math.abs(offset) > CLOCK_TOLERANCE;
      if (isOff && !isClockLogged) {
        const seconds = Math.round(offset / 1000);
        log.warn(
          { seconds },
          "this machine's clock is ahead of the loan provider's by so many seconds",
        );
      }
      isClockLogged = isOff;
    },
    /** By how many seconds this machine's clock is ahead of the provider's. */
    clockOffset: () => (offset === undefined ? undefined : offset / 1000),
    state: () => state,
  };
}
