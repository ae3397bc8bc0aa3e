import type { MerchantOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextArea } from "../../ui/input.tsx";
import { Section } from "../../ui/screen.tsx";
import type { SentNote } from "./notes.ts";
import { Timeline } from "./timeline.tsx";
import { useNoteDraft } from "./use-note-draft.ts";
import { useNotes } from "./use-notes.ts";

/** The history of an order, and the form for a note, which stands in the history at once. */
export function History({ order }: { order: MerchantOrder }) {
  const { unsaved, add, retry, drop } = useNotes(order);
  const draft = useNoteDraft(order.id);
  // Another number makes another form, which is empty.
  const [number, setNumber] = useState(0);
  return (
    <>
      <Section title="History">
        {unsaved.toReversed().map((note) => (
          <UnsavedNote
            key={note.number}
            note={note}
            onRetry={() => retry(note)}
            onDrop={() => drop(note)}
          />
        ))}
        <Timeline events={order.events} mismatches={order.mismatches} />
      </Section>
      <Section title="New note">
        <ChangeForm
          key={number}
          submit="Add note"
          isPending={false}
          failure={undefined}
          onSubmit={({ text }) => {
            if (text === undefined) return;
            add(text);
            draft.keep("");
            setNumber(number + 1);
          }}
        >
          <TextArea
            label="Note, for staff only"
            name="text"
            required
            maxLength={5_000}
            rows={2}
            defaultValue={draft.read()}
            onChange={({ target }) => draft.keep(target.value)}
          />
        </ChangeForm>
      </Section>
    </>
  );
}

interface UnsavedNoteProps {
  readonly note: SentNote;
  readonly onRetry: () => void;
  readonly onDrop: () => void;
}

function UnsavedNote({ note: { text, state, failure }, onRetry, onDrop }: UnsavedNoteProps) {
  return (
    <div className="mb-4 border-l border-line-strong pl-5">
      <p className="font-medium">Note</p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      {state === "saving" ? (
        <p className="text-sm text-ink-soft">Saving…</p>
      ) : (
        <>
          <p role="alert" className="text-sm text-danger">
            It could not be saved. {failure}
          </p>
          <div className="flex flex-wrap gap-3 pt-2">
            <Button onClick={onRetry}>Try again</Button>
            <Button onClick={onDrop}>Discard</Button>
          </div>
        </>
      )}
    </div>
  );
}
