import { MAX_NOTE_LENGTH, noteRequestSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { actorLabel } from "../../lib/actor-labels.ts";
import { useNewForm } from "../../lib/form.ts";
import type { PackingOrderView } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Failure } from "../../ui/rows.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { type HistoryEntry, historyEntries } from "./history-entries.ts";
import { eventLabel, issueLabel, namesAuthor } from "./history-labels.ts";
import { type SentNote, useNotes } from "./notes.ts";

/** The history of an order, and the form for a note, which the history shows immediately. */
export function History({ order }: { order: PackingOrderView }) {
  const { unsaved, add, retry, discard } = useNotes(order);
  const form = useNewForm({
    schema: noteRequestSchema,
    labels: { text: "Note, for staff only" },
    values: { text: "" },
    draftKey: ["note-draft", order.id],
    async save({ text }) {
      add(text);
      form.discard();
    },
  });
  return (
    <>
      <Section title="History">
        {unsaved.toReversed().map((note) => (
          <UnsavedNote
            key={note.number}
            note={note}
            onRetry={() => retry(note)}
            onDiscard={() => discard(note)}
          />
        ))}
        <Timeline events={order.events} payment_issues={order.payment_issues ?? []} />
      </Section>
      <Section title="New note">
        <ChangeForm form={form} submit="Add note">
          <TextField form={form} name="text" maxLength={MAX_NOTE_LENGTH} rows={2} />
        </ChangeForm>
      </Section>
    </>
  );
}

interface UnsavedNoteProps {
  readonly note: SentNote;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

function UnsavedNote({ note: { text, state, failure }, onRetry, onDiscard }: UnsavedNoteProps) {
  return (
    <div className="mb-4 border-l border-line-strong pl-5">
      <p className="font-medium">Note</p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      {state === "saving" ? (
        <p className="text-sm text-ink-soft">Saving…</p>
      ) : (
        <>
          <Failure text={`It could not be saved. ${failure}`} />
          <div className="flex flex-wrap gap-3 pt-2">
            <Button onClick={onRetry}>Try again</Button>
            <Button onClick={onDiscard}>Discard</Button>
          </div>
        </>
      )}
    </div>
  );
}

function Timeline(order: Parameters<typeof historyEntries>[0]) {
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
        {namesAuthor(event) && ` by ${actorLabel(event)}`}
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
