import { MAX_NOTE_LENGTH, noteRequestSchema } from "@keepsats/protocol";
import { useNewForm } from "../../lib/form.ts";
import type { OrderView } from "../../lib/queries.ts";
import { useIdempotencyKey } from "../../lib/use-idempotency-key.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { historyEntries } from "./history-entries.ts";
import { addNote, useInvalidateOrder } from "./queries.ts";

/** The history of an order, and the form for a note. */
export function History({ order }: { order: OrderView }) {
  const sendOnce = useIdempotencyKey();
  const invalidate = useInvalidateOrder(order);
  const form = useNewForm({
    schema: noteRequestSchema,
    labels: { text: "Note, for staff only" },
    values: { text: "" },
    draftKey: ["note-draft", order.id],
    async save(note) {
      try {
        await sendOnce((key) => addNote(order.id, note, key));
      } catch (error) {
        // After a lost answer the note may be stored.
        void invalidate();
        throw error;
      }
      form.discard();
      await invalidate();
    },
  });
  return (
    <>
      <Section title="History">
        <Timeline {...order} />
      </Section>
      <Section title="New note">
        <ChangeForm form={form} submit="Add note">
          <TextField form={form} name="text" maxLength={MAX_NOTE_LENGTH} rows={2} />
        </ChangeForm>
      </Section>
    </>
  );
}

function Timeline(order: Parameters<typeof historyEntries>[0]) {
  return (
    <ol className="border-l border-line-strong">
      {historyEntries(order).map(({ key, label, author, message, details, at }) => (
        <li key={key} className="relative pb-4 pl-5 last:pb-0">
          <span
            aria-hidden
            className="absolute top-1.5 left-0 size-2.5 -translate-x-1/2 rounded-full bg-line-strong"
          />
          <p>
            <span className="font-medium">{label}</span>
            {author !== null && ` by ${author}`}
          </p>
          {message !== null && <p className="whitespace-pre-line wrap-anywhere">{message}</p>}
          {details.map((text) => (
            <p key={text} className="text-sm wrap-anywhere text-ink-soft">
              {text}
            </p>
          ))}
          <Time at={at} className="text-sm text-ink-soft" />
        </li>
      ))}
    </ol>
  );
}
