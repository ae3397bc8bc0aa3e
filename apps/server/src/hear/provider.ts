import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { Answer } from "../payments/loan-provider.ts";

/** What this process has seen of the provider last. */
export type ProviderState = "not asked yet" | "ok" | "away";

/** Counts the provider's answers, and logs when it goes out of reach and when it is back. */
export function hearProvider({ log, metrics }: { log: FastifyBaseLogger; metrics: Metrics }) {
  let state: ProviderState = "not asked yet";
  function heard(answer: Answer<unknown>): void {
    metrics.providerCalls.inc({ outcome: answer.kind });
    if (answer.kind === "unavailable" && state !== "away") {
      state = "away";
      const hint = answer.why === "HTTP 401" ? "; is LOAN_API_KEY right?" : "";
      log.warn({ why: answer.why }, `the loan provider gives no usable answer${hint}`);
    } else if (answer.kind === "found" || answer.kind === "absent") {
      if (state === "away") log.warn("the loan provider answers again");
      state = "ok";
    }
  }
  return { heard, state: () => state };
}
