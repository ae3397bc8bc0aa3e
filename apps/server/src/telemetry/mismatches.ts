import { shortOrderId } from "@keepsats/domain";
import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { OnMismatch } from "../payments/index.ts";

/** So many are logged one by one in a while; those beyond are counted and told in one line. */
const ONE_BY_ONE = 20;
const WHILE = 60_000;

/** Counts mismatches and logs them, without whole order ids or anything that a stranger wrote. */
export function hearMismatches({ log, metrics }: { log: FastifyBaseLogger; metrics: Metrics }) {
  let logged = 0;
  let more: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;

  function tellOfMore(): void {
    clearTimeout(timer);
    timer = undefined;
    logged = 0;
    if (Object.keys(more).length > 0) log.warn({ kinds: more }, "many more mismatches were recorded");
    more = {};
  }

  const heard: OnMismatch = (contractId, orderId, { kind, detail }) => {
    metrics.mismatches.inc({ kind });
    timer ??= setTimeout(tellOfMore, WHILE).unref();
    logged += 1;
    if (logged > ONE_BY_ONE) {
      more[kind] = (more[kind] ?? 0) + 1;
      return;
    }
    // What is wrong with the form of an entry names fields and types only.
    const shape = kind === "not-understood" ? { detail } : {};
    const order = orderId === "" ? {} : { order: shortOrderId(orderId) };
    log.warn(
      { ...order, contract: kind === "not-understood" ? contractId : contractId.slice(0, 8), kind, ...shape },
      "a mismatch was recorded",
    );
  };
  return { heard, close: tellOfMore };
}
