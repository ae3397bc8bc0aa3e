import { shortOrderId } from "@keepsats/domain";
import { issueKinds } from "@keepsats/protocol";
import type { Platform } from "../../../platform/platform.ts";
import type { NewIssue } from "../rules/index.ts";

/** Logs and counts payment issues. Logs no whole order ids, and no text that anyone can write. */
export function createIssueLog({ log, metrics }: Pick<Platform, "log" | "metrics">) {
  const counted = metrics.counter(
    "keepsats_payment_issues_total",
    "Payment issues that were recorded",
    "kind",
    issueKinds,
  );
  return ({ kind, loanId, orderId, detail }: NewIssue): void => {
    counted.inc({ kind });
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
  };
}
