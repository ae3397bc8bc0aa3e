import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { Answer } from "../payments/loan-provider.ts";

/** Counts the provider's answers, and logs when it goes out of reach and when it is back. */
export function hearProvider({ log, metrics }: { log: FastifyBaseLogger; metrics: Metrics }) {
  let reached = true;
  return (answer: Answer<unknown>): void => {
    metrics.providerCalls.inc({ outcome: answer.kind });
    if (answer.kind === "unavailable" && reached) {
      reached = false;
      const hint = answer.why === "HTTP 401" ? "; is LOAN_API_KEY right?" : "";
      log.warn({ why: answer.why }, `the loan provider gives no usable answer${hint}`);
    } else if ((answer.kind === "found" || answer.kind === "absent") && !reached) {
      reached = true;
      log.warn("the loan provider answers again");
    }
  };
}
