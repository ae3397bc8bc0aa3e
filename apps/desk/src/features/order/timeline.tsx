import type { MerchantOrder } from "@keepsats/protocol";
import { byWords } from "../../ui/order-words.ts";
import { Time } from "../../ui/time.tsx";
import { type HistoryEntry, historyEntries } from "./history-entries.ts";
import { eventWords, mismatchEntryWords, saysWho } from "./history-words.ts";

/** The history of an order, the latest change first. */
export function Timeline(order: Pick<MerchantOrder, "events" | "mismatches">) {
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
            <MismatchLine mismatch={entry.mismatch} />
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
        <span className="font-medium">{eventWords(event)}</span>
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

function MismatchLine({ mismatch }: Pick<Extract<HistoryEntry, { kind: "mismatch" }>, "mismatch">) {
  return (
    <>
      <p className="font-medium">{mismatchEntryWords(mismatch)}</p>
      <p className="text-sm wrap-anywhere text-ink-soft">{mismatch.detail}</p>
      <Time at={mismatch.seen_at} className="text-sm text-ink-soft" />
    </>
  );
}
