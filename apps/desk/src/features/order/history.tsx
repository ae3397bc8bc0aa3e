import { type MerchantOrder, noteRequestSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Section } from "../../ui/screen.tsx";
import { type SentNote, useNotes } from "./notes.ts";
import { Timeline } from "./timeline.tsx";

/** The history of an order, and the form for a note, which stands in the history at once. */
export function History({ order }: { order: MerchantOrder }) {
  const { unsaved, add, retry, drop } = useNotes(order);
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
            onDrop={() => drop(note)}
          />
        ))}
        <Timeline events={order.events} payment_issues={order.payment_issues} />
      </Section>
      <Section title="New note">
        <ChangeForm form={form} submit="Add note">
          <TextField form={form} name="text" maxLength={5_000} rows={2} />
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
