import { call } from "@keepsats/client";
import {
  journalSummarySchema,
  paths,
  receiptsSummarySchema,
  reconciliationSchema,
} from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";
import type { Days } from "../../lib/parameters.ts";
import { type BooksPeriod, withDays } from "./period.ts";

export function summaryQuery({ by, ...days }: BooksPeriod) {
  const path = withDays(paths.admin.journalSummary, days, by);
  return queryOptions({
    queryKey: ["books", path],
    meta: { topics: ["figures", "payment_issues", "settings"] },
    queryFn: ({ signal }) => call({ path, answer: journalSummarySchema, signal }),
  });
}

export function vatQuery(days: Days) {
  const path = withDays(paths.admin.receiptsSummary, days);
  return queryOptions({
    queryKey: ["receipts-summary", path],
    meta: { topics: ["figures", "payment_issues", "settings"] },
    queryFn: ({ signal }) => call({ path, answer: receiptsSummarySchema, signal }),
  });
}

/** In milliseconds: the loan provider's list may be long. */
const LIST_TIMEOUT = 120_000;

/** It is not retried by itself, because each attempt may read the loan provider's list. */
export function reconciliationQuery(days: Days) {
  const path = withDays(paths.admin.reconciliation, days);
  return queryOptions({
    queryKey: ["reconciliation", path],
    retry: false,
    queryFn: ({ signal }) =>
      call({ path, answer: reconciliationSchema, signal, timeout: LIST_TIMEOUT }),
  });
}
