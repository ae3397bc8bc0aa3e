import type { AdminOrder } from "@keepsats/protocol";
import { type HistoryEvent, reasonText } from "./history-labels.ts";

type Issue = AdminOrder["payment_issues"][number];

export type HistoryEntry =
  | {
      readonly kind: "event";
      readonly key: string;
      readonly event: HistoryEvent;
      readonly texts: readonly string[];
    }
  | { readonly kind: "issue"; readonly key: string; readonly issue: Issue };

/** The history of an order, newest first. A payment issue has the time when it was last opened. */
export function historyEntries({
  events,
  payment_issues,
}: Pick<AdminOrder, "payment_issues"> & {
  readonly events: readonly HistoryEvent[];
}): readonly HistoryEntry[] {
  // Events are only appended, so their index is a stable key.
  const ofEvents = events.map(
    (event, index): HistoryEntry => ({
      kind: "event",
      key: `${index}`,
      event,
      texts: textsOf(event),
    }),
  );
  const ofIssues = payment_issues.map(
    (issue): HistoryEntry => ({ kind: "issue", key: issue.id, issue }),
  );
  // An issue precedes an event of the same second, which may be its resolution. The sort is stable.
  return [...ofIssues, ...ofEvents].sort((a, b) => timeOf(a) - timeOf(b)).reverse();
}

function timeOf(entry: HistoryEntry): number {
  return entry.kind === "event" ? entry.event.at : entry.issue.opened_at;
}

function textsOf({ reason = null, detail }: HistoryEvent): string[] {
  return [reason === null ? null : reasonText(reason), detail].filter((text) => text !== null);
}
