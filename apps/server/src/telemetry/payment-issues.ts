import { shortOrderId } from "@keepsats/domain";
import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../http/metrics.ts";
import type { OnIssue } from "../payments/index.ts";

/**
 * So many payment issues in a period are logged one by one; further ones are counted and logged in
 * one line at its end.
 */
const ONE_BY_ONE = 20;
/** In milliseconds. */
const PERIOD = 60_000;

/**
 * Counts payment issues and logs them, without whole order ids and without anything that a stranger
 * wrote.
 */
export function createIssueLog({ log, metrics }: { log: FastifyBaseLogger; metrics: Metrics }) {
  let logged = 0;
  let further: Record<string, number> = {};
  let timer: NodeJS.Timeout | undefined;

  function endPeriod(): void {
    clearTimeout(timer);
    timer = undefined;
    logged = 0;
    if (Object.keys(further).length > 0)
      log.warn({ kinds: further }, "many more payment issues were recorded");
    further = {};
  }

  const recorded: OnIssue = ({ kind, loanId, orderId, detail }) => {
    metrics.issues.inc({ kind });
    timer ??= setTimeout(endPeriod, PERIOD).unref();
    logged += 1;
    if (logged > ONE_BY_ONE) {
      further[kind] = (further[kind] ?? 0) + 1;
      return;
    }
    // An entry that is not understood has no order; its detail has names of fields and types only.
    const isNotUnderstood = kind === "unrecognized" && orderId === undefined;
    const shape = isNotUnderstood ? { detail } : {};
    const order = orderId === undefined ? {} : { order: shortOrderId(orderId) };
    log.warn(
      {
        ...order,
        loan: isNotUnderstood ? loanId : loanId.slice(0, 8),
        kind,
        ...shape,
      },
      "a payment issue was recorded",
    );
  };
  return { recorded, close: endPeriod };
}
