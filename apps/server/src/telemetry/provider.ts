import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { Answer, NotUnderstood } from "../payments/index.ts";

/** Whether the provider's last answer, to whichever process, could be used. */
export type ProviderState = "not asked yet" | "ok" | "away";

interface Dependencies {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** Tells the other processes what this one has seen. */
  readonly tell: (state: ProviderState) => void;
}

/** How often other processes are told what they may know already, in milliseconds. */
const TOLD_EVERY = 30_000;
/** A clock that is further off than this, in milliseconds, is logged. */
const CLOCK_MAY_BE_OFF = 5 * 60_000;

/** Counts the provider's answers, and logs when it goes out of reach and when it is back. */
export function hearProvider({ log, metrics, tell }: Dependencies) {
  let state: ProviderState = "not asked yet";
  let toldAt = Number.NEGATIVE_INFINITY;
  let offset: number | undefined;
  let isClockTold = false;

  function become(next: ProviderState): void {
    if (next === state && performance.now() - toldAt < TOLD_EVERY) return;
    state = next;
    toldAt = performance.now();
    tell(next);
  }

  return {
    heard(answer: Answer<unknown>): void {
      metrics.providerCalls.inc({ outcome: answer.kind });
      if (answer.kind === "unavailable") {
        const hint = answer.isKeyRefused === true ? "; is LOAN_API_KEY right?" : "";
        if (state !== "away")
          log.warn({ why: answer.why }, `the loan provider gives no usable answer${hint}`);
        become("away");
      } else if (answer.kind === "found" || answer.kind === "absent") {
        if (state === "away") log.warn("the loan provider answers again");
        become("ok");
      }
    },
    notUnderstood(entries: readonly NotUnderstood[]): void {
      metrics.notUnderstood.inc(entries.length);
    },
    /** Compares the provider's time with this machine's. */
    time(time: number): void {
      offset = Date.now() - time;
      const isOff = Math.abs(offset) > CLOCK_MAY_BE_OFF;
      if (isOff && !isClockTold) {
        const seconds = Math.round(offset / 1000);
        log.warn({ seconds }, "this machine's clock is ahead of the loan provider's by so many seconds");
      }
      isClockTold = isOff;
    },
    /** How far this machine's clock is ahead of the provider's, in seconds. */
    clockOffset: () => (offset === undefined ? undefined : offset / 1000),
    state: () => state,
  };
}
