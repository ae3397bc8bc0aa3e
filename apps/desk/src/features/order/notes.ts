import type { MerchantOrder } from "@keepsats/protocol";

/** A note that was written in this tab. */
export interface SentNote {
  readonly number: number;
  /** The idempotency key, reused by retries. */
  readonly key: string;
  readonly text: string;
  /** When it was written, in milliseconds by this browser's clock. */
  readonly at: number;
  readonly state: "saving" | "saved" | "failed";
  /** Why it could not be saved. */
  readonly failure: string | undefined;
}

/** How far the clocks of browser and server may differ, in milliseconds. */
const CLOCKS_DIFFER = 60_000;

/**
 * The notes that the history does not have yet. One whose answer was lost may be there although it
 * counts as failed.
 */
export function unsavedNotes(
  sent: readonly SentNote[],
  events: readonly Pick<MerchantOrder["events"][number], "kind" | "message" | "at">[],
): readonly SentNote[] {
  const isStored = ({ text, at }: SentNote) =>
    events.some(
      ({ kind, message, at: stored }) =>
        kind === "noted" && message === text && stored > at - CLOCKS_DIFFER,
    );
  return sent.filter((note) => note.state !== "saved" && !isStored(note));
}
