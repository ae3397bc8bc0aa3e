import { providerStates } from "@keepsats/protocol";
import { readValue, writeValue } from "../../../platform/database/key-values.ts";
import type { Platform } from "../../../platform/platform.ts";
import { isClockRight } from "../../../platform/scheduling/clock.ts";
import type { Answer } from "./loan-provider.ts";

/** Whether the provider's last answer to any process was usable. */
export type ProviderState = (typeof providerStates)[number];

const PROVIDER_STATE = "provider";
/** The shortest interval at which an unchanged state is stored, in milliseconds. */
const STORE_INTERVAL = 30_000;

/** The state is stored for all processes. */
export function createProviderHealth({
  database,
  log,
  metrics,
  onError,
}: Pick<Platform, "database" | "log" | "metrics" | "onError">) {
  const { db } = database;
  const calls = metrics.counter(
    "keepsats_provider_calls_total",
    "Calls to the loan provider",
    "outcome",
  );
  let state: ProviderState = "not asked yet";
  let storedAt = Number.NEGATIVE_INFINITY;
  /** By how many milliseconds this process's clock is ahead of the provider's. */
  let offset: number | undefined;
  let isClockLogged = false;

  function become(next: ProviderState): void {
    if (next === state && performance.now() - storedAt < STORE_INTERVAL) return;
    state = next;
    storedAt = performance.now();
    void writeValue(db, PROVIDER_STATE, next).catch(onError);
  }

  return {
    answered(answer: Answer<unknown>): void {
      calls.inc({ outcome: answer.kind });
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
    /** @param time the provider's, in epoch milliseconds */
    providerTime(time: number): void {
      offset = Date.now() - time;
      const isOff = !isClockRight(offset);
      if (isOff && !isClockLogged) {
        const seconds = Math.round(offset / 1000);
        log.warn(
          { seconds },
          `this machine's clock differs from the loan provider's by ${Math.abs(seconds)} seconds`,
        );
      }
      isClockLogged = isOff;
    },
    /** In seconds. */
    clockOffset: () => (offset === undefined ? undefined : offset / 1000),
    clockAhead: () => (offset === undefined ? undefined : database.now() - Date.now() + offset),
    async state(): Promise<ProviderState> {
      const stored = await readValue(db, PROVIDER_STATE);
      return providerStates.find((known) => known === stored) ?? state;
    },
  };
}
