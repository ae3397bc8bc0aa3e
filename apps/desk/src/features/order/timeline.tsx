import type { MerchantOrder } from "@keepsats/protocol";
import { byWords } from "../../ui/by-words.ts";
import { Time } from "../../ui/time.tsx";
import { eventWords } from "./history-words.ts";

/** The history of an order, the latest change first. */
export function Timeline({ events }: Pick<MerchantOrder, "events">) {
  // Events are only ever added, so their numbers stay.
  const numbered = events.map((event, number) => ({ event, number }));
  return (
    <ol className="border-l border-line-strong">
      {numbered.toReversed().map(({ event, number }) => (
        <li key={number} className="relative pb-4 pl-5 last:pb-0">
          <span
            aria-hidden
            className="absolute top-1.5 left-0 size-2.5 -translate-x-1/2 rounded-full bg-line-strong"
          />
          <p>
            <span className="font-medium">{eventWords(event)}</span> by {byWords(event)}
          </p>
          {event.message !== null && <p className="whitespace-pre-line wrap-anywhere">{event.message}</p>}
          {[event.reason, event.detail]
            .filter((text) => text !== null)
            .map((text) => (
              <p key={text} className="text-sm wrap-anywhere text-ink-soft">
                {text}
              </p>
            ))}
          <Time at={event.at} className="text-sm text-ink-soft" />
        </li>
      ))}
    </ol>
  );
}
