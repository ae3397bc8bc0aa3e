import { shortOrderId } from "@keepsats/domain";
import { issueKinds } from "@keepsats/protocol";
import type { Platform } from "../../../platform/platform.ts";
import type { NewIssue } from "../rules.ts";

/** Payment issues in a period that are logged one by one; the rest is one line at its end. */
const ONE_BY_ONE = 20;
/** In milliseconds. */
const PERIOD = 60_000;

/** Logs no whole order ids, and no text that anyone can write. */
export function createIssueLog({ log, metrics }: Pick<Platform, "log" | "metrics">) {
  const counted = metrics.counter(
    "keepsats_payment_issues_total",
    "Payment issues that were recorded",
    "kind",
    issueKinds,
  );
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

  function recorded({ kind, loanId, orderId, detail }: NewIssue): void {
    counted.inc({ kind });
    timer ??= setTimeout(endPeriod, PERIOD).unref();
    logged += 1;
    if (logged > ONE_BY_ONE) {
      further[kind] = (further[kind] ?? 0) + 1;
      return;
    }
    // An entry that cannot be decoded has no order; its detail has names of fields and types only.
    const isUnrecognizedEntry = kind === "unrecognized" && orderId === undefined;
    log.warn(
      {
        order: orderId && shortOrderId(orderId),
        loan: isUnrecognizedEntry ? loanId : loanId.slice(0, 8),
        kind,
        detail: isUnrecognizedEntry ? detail : undefined,
      },
      "a payment issue was recorded",
    );
  }
  return { recorded, close: endPeriod };
}
