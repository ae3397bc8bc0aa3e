import { call } from "@keepsats/client";
import { noteAnswerSchema, paths, withId } from "@keepsats/protocol";
import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { changeErrorText } from "../../lib/api.ts";
import { orderQuery, type PackingOrderView } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";

/** A note that was written in this tab. */
export interface SentNote {
  readonly number: number;
  /** The idempotency key, reused by retries. */
  readonly key: string;
  readonly text: string;
  /** In epoch milliseconds, by this browser's clock. */
  readonly at: number;
  readonly state: "saving" | "saved" | "failed";
  /** Why it could not be saved. */
  readonly failure: string | undefined;
}

/** How far the clocks of browser and server may differ, in milliseconds. */
const CLOCK_SKEW = 60_000;

/** The notes that are not in the history. A note whose response was lost may already be there. */
export function unsavedNotes(
  sent: readonly SentNote[],
  events: readonly Pick<PackingOrderView["events"][number], "kind" | "message" | "at">[],
): readonly SentNote[] {
  const isStored = ({ text, at }: SentNote) =>
    events.some(
      ({ kind, message, at: stored }) =>
        kind === "noted" && message === text && stored > at - CLOCK_SKEW,
    );
  return sent.filter((note) => note.state !== "saved" && !isStored(note));
}

const noteVariables = z.object({ text: z.string(), key: z.string() });

/** The unsaved notes of an order. A failed one stays until it is saved or discarded. */
export function useNotes({ id, events }: Pick<PackingOrderView, "id" | "events">) {
  const client = useQueryClient();
  // Unsaved notes outlive the session. The key shows them to their author only.
  const mutationKey = ["note", id, useSession().staff.id];
  const { mutate } = useMutation({
    mutationKey,
    // By default TanStack Query drops a mutation five minutes after it has left the screen.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: ({ text, key }: z.output<typeof noteVariables>) => addNote(id, text, key),
    // The note is shown as being saved until the history has it. Also after a failure, because the
    // note may be stored.
    onSettled: () => client.invalidateQueries({ queryKey: orderQuery(id).queryKey }),
  });
  const sent = useMutationState({
    filters: { mutationKey },
    select: ({ mutationId, state }): SentNote => ({
      number: mutationId,
      ...noteVariables.parse(state.variables),
      at: state.submittedAt,
      state: state.status === "error" ? "failed" : state.status === "success" ? "saved" : "saving",
      failure: state.error === null ? undefined : changeErrorText(state.error),
    }),
  });

  function discard({ number }: SentNote): void {
    const cache = client.getMutationCache();
    for (const mutation of cache.getAll())
      if (mutation.mutationId === number) cache.remove(mutation);
  }
  function retry(note: SentNote): void {
    discard(note);
    mutate({ text: note.text, key: note.key });
  }
  const add = (text: string) => mutate({ text, key: crypto.randomUUID() });
  return { unsaved: unsavedNotes(sent, events), add, retry, discard };
}

/** Adds a staff note. @param key idempotency key, reused when the same note is retried */
function addNote(id: string, text: string, key: string) {
  return call({
    path: withId(paths.admin.notes, id),
    method: "POST",
    idempotencyKey: key,
    body: { text },
    answer: noteAnswerSchema,
  });
}
