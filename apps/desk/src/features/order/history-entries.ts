import type { MerchantOrder } from "@keepsats/protocol";
import { reasonText } from "./history-labels.ts";

type Event = MerchantOrder["events"][number];
type Issue = MerchantOrder["payment_issues"][number];

/** One line of the history: an event of the order, or a payment issue. */
export type HistoryEntry =
  | {
      readonly kind: "event";
      readonly key: string;
      readonly event: Event;
      readonly texts: readonly string[];
    }
  | { readonly kind: "issue"; readonly key: string; readonly issue: Issue };

/** The history of an order, newest first. Payment issues stand at the time when they were last opened. */
export function historyEntries({
  events,
  payment_issues,
}: Pick<MerchantOrder, "events" | "payment_issues">): readonly HistoryEntry[] {
  // Events are only ever added, so their numbers stay.
  const ofEvents = events.map(
    (event, number): HistoryEntry => ({
      kind: "event",
      key: `${number}`,
      event,
      texts: textsOf(event),
    }),
  );
  const ofIssues = payment_issues.map(
    (issue): HistoryEntry => ({ kind: "issue", key: issue.id, issue }),
  );
  // An issue precedes an event of the same second, which may be its resolution. The sort is stable.
  return [...ofIssues, ...ofEvents].sort((one, other) => timeOf(one) - timeOf(other)).reverse();
}

function timeOf(entry: HistoryEntry): number {
  return entry.kind === "event" ? entry.event.at : entry.issue.opened_at;
}

function textsOf({ reason, detail }: Event): string[] {
  return [reason === null ? null : reasonText(reason), detail].filter((text) => text !== null);
}
