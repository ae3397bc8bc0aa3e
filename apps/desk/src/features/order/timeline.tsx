import type { MerchantOrder } from "@keepsats/protocol";
import { byWords } from "../../ui/order-words.ts";
import { Time } from "../../ui/time.tsx";
import { type HistoryEntry, historyEntries } from "./history-entries.ts";
import { eventLabel, issueLabel, saysWho } from "./history-labels.ts";

/** The history of an order, the latest change first. */
export function Timeline(order: Pick<MerchantOrder, "events" | "payment_issues">) {
  return (
    <ol className="border-l border-line-strong">
      {historyEntries(order).map((entry) => (
        <li key={entry.key} className="relative pb-4 pl-5 last:pb-0">
          <span
            aria-hidden
            className="absolute top-1.5 left-0 size-2.5 -translate-x-1/2 rounded-full bg-line-strong"
          />
          {entry.kind === "event" ? (
            <EventLine event={entry.event} texts={entry.texts} />
          ) : (
            <IssueLine issue={entry.issue} />
          )}
        </li>
      ))}
    </ol>
  );
}

type EventEntry = Extract<HistoryEntry, { kind: "event" }>;

function EventLine({ event, texts }: Pick<EventEntry, "event" | "texts">) {
  return (
    <>
      <p>
        <span className="font-medium">{eventLabel(event)}</span>
        {saysWho(event) && ` by ${byWords(event)}`}
      </p>
      {event.message !== null && (
        <p className="whitespace-pre-line wrap-anywhere">{event.message}</p>
      )}
      {texts.map((text) => (
        <p key={text} className="text-sm wrap-anywhere text-ink-soft">
          {text}
        </p>
      ))}
      <Time at={event.at} className="text-sm text-ink-soft" />
    </>
  );
}

function IssueLine({ issue }: Pick<Extract<HistoryEntry, { kind: "issue" }>, "issue">) {
  return (
    <>
      <p className="font-medium">{issueLabel(issue)}</p>
      <p className="text-sm wrap-anywhere text-ink-soft">{issue.detail}</p>
      <Time at={issue.opened_at} className="text-sm text-ink-soft" />
    </>
  );
}
