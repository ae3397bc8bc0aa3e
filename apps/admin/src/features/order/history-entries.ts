import { type AdminOrder, actorLabel } from "@keepsats/protocol";
import {
  eventLabel,
  type HistoryEvent,
  issueLabel,
  namesAuthor,
  reasonText,
} from "./history-labels.ts";

export interface HistoryEntry {
  readonly key: string;
  readonly label: string;
  /** `null` if the entry is shown without its author. */
  readonly author: string | null;
  /** The text of a note, or the message to the customer. */
  readonly message: string | null;
  readonly details: readonly string[];
  readonly at: number;
}

interface History {
  readonly events: readonly HistoryEvent[];
  /** Packers get none. */
  readonly payment_issues?: AdminOrder["payment_issues"];
}

/** The history of an order, newest first. A payment issue has the time when it was last opened. */
export function historyEntries({ events, payment_issues = [] }: History): readonly HistoryEntry[] {
  const ofEvents = events.map((event, index): HistoryEntry => {
    const { reason = null, detail, message, at } = event;
    return {
      // Events are only appended, so their index is a stable key.
      key: `${index}`,
      label: eventLabel(event),
      author: namesAuthor(event) ? actorLabel(event) : null,
      message,
      details: [reason && reasonText(reason), detail].filter((text) => text !== null),
      at,
    };
  });
  const ofIssues = payment_issues.map(
    (issue): HistoryEntry => ({
      key: issue.id,
      label: issueLabel(issue),
      author: null,
      message: null,
      details: [issue.detail],
      at: issue.opened_at,
    }),
  );
  // An issue precedes an event of the same second, which may be its resolution. The sort is stable.
  return [...ofIssues, ...ofEvents].sort((a, b) => a.at - b.at).reverse();
}
