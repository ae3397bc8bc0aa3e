import { shortOrderId } from "@keepsats/domain";
import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { OnMismatch } from "../payments/index.ts";

/**
 * So many mismatches in a period are logged one by one; further ones are counted and logged in one
 * line at its end.
 */
const ONE_BY_ONE = 20;
/** In milliseconds. */
const PERIOD = 60_000;

/**
 * Counts mismatches and logs them, without whole order ids and without anything that a stranger
 * wrote.
 */
export function createMismatchLog({ log, metrics }: { log: FastifyBaseLogger; metrics: Metrics }) {
  let logged = 0;
  let further: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;

  function endPeriod(): void {
    clearTimeout(timer);
    timer = undefined;
    logged = 0;
    if (Object.keys(further).length > 0)
      log.warn({ kinds: further }, "many more mismatches were recorded");
    further = {};
  }

  const recorded: OnMismatch = (contractId, orderId, { kind, detail }) => {
    metrics.mismatches.inc({ kind });
    timer ??= setTimeout(endPeriod, PERIOD).unref();
    logged += 1;
    if (logged > ONE_BY_ONE) {
      further[kind] = (further[kind] ?? 0) + 1;
      return;
    }
    // The detail of what is not understood has names of fields and types only.
    const shape = kind === "not-understood" ? { detail } : {};
    const order = orderId === "" ? {} : { order: shortOrderId(orderId) };
    log.warn(
      {
        ...order,
        contract: kind === "not-understood" ? contractId : contractId.slice(0, 8),
        kind,
        ...shape,
      },
      "a mismatch was recorded",
    );
  };
  return { recorded, close: endPeriod };
}
