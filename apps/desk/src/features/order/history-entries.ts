import type { MerchantOrder } from "@keepsats/protocol";
import { reasonWords } from "./history-words.ts";

type Event = MerchantOrder["events"][number];
type Mismatch = MerchantOrder["mismatches"][number];

/** One line of the history: an event of the order, or a payment that came and did not fit. */
export type HistoryEntry =
  | {
      readonly kind: "event";
      readonly key: string;
      readonly event: Event;
      readonly texts: readonly string[];
    }
  | { readonly kind: "mismatch"; readonly key: string; readonly mismatch: Mismatch };

/**
 * The history of an order, the latest first. Payments that do not fit are no events of the order;
 * they stand where they were last seen.
 */
export function historyEntries({
  events,
  mismatches,
}: Pick<MerchantOrder, "events" | "mismatches">): readonly HistoryEntry[] {
  // Events are only ever added, so their numbers stay.
  const ofEvents = events.map(
    (event, number): HistoryEntry => ({
      kind: "event",
      key: `${number}`,
      event,
      texts: textsOf(event),
    }),
  );
  const ofMismatches = mismatches.map(
    (mismatch): HistoryEntry => ({
      kind: "mismatch",
      key: mismatch.id,
      mismatch,
    }),
  );
  // A payment comes before what was done about it at the same time; the sort is stable.
  return [...ofMismatches, ...ofEvents].sort((one, other) => timeOf(one) - timeOf(other)).reverse();
}

function timeOf(entry: HistoryEntry): number {
  return entry.kind === "event" ? entry.event.at : entry.mismatch.seen_at;
}

function textsOf({ reason, detail }: Event): string[] {
  return [reason === null ? null : reasonWords(reason), detail].filter((text) => text !== null);
}
