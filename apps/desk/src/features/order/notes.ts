import type { MerchantOrder } from "@keepsats/protocol";
import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { failureText } from "../../lib/api.ts";
import { noteOrder } from "../../lib/orders.ts";
import { orderQuery } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";

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

const writtenNote = z.object({ text: z.string(), key: z.string() });

/**
 * The notes of an order that are not in its history yet, and how to write one. A failed one stays
 * until it is saved or dropped.
 */
export function useNotes({ id, events }: MerchantOrder) {
  const client = useQueryClient();
  // They stay after a session, and are only shown to whoever has written them.
  const mutationKey = ["note", id, useSession().staff.id];
  const { mutate } = useMutation({
    mutationKey,
    // By default TanStack Query drops a mutation that is not on the screen after five minutes.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: ({ text, key }: z.output<typeof writtenNote>) => noteOrder(id, text, key),
    // The note is shown as being saved until the history has it. After a failure it may be there
    // all the same.
    onSettled: () => client.invalidateQueries({ queryKey: orderQuery(id).queryKey }),
  });
  const sent = useMutationState({
    filters: { mutationKey },
    select: ({ mutationId, state }): SentNote => ({
      number: mutationId,
      ...writtenNote.parse(state.variables),
      at: state.submittedAt,
      state: state.status === "error" ? "failed" : state.status === "success" ? "saved" : "saving",
      failure: state.error === null ? undefined : failureText(state.error),
    }),
  });

  function drop({ number }: SentNote): void {
    const cache = client.getMutationCache();
    for (const mutation of cache.getAll())
      if (mutation.mutationId === number) cache.remove(mutation);
  }
  function retry(note: SentNote): void {
    drop(note);
    mutate({ text: note.text, key: note.key });
  }
  const add = (text: string) => mutate({ text, key: crypto.randomUUID() });
  return { unsaved: unsavedNotes(sent, events), add, retry, drop };
}
