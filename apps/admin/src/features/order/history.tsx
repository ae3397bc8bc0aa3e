import {
  type AdminOrder,
  actorLabel,
  MAX_NOTE_LENGTH,
  noteRequestSchema,
} from "@keepsats/protocol";
import { useNewForm } from "../../lib/form.ts";
import type { OrderView } from "../../lib/queries.ts";
import { useIdempotencyKey } from "../../lib/use-idempotency-key.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import {
  eventLabel,
  type HistoryEvent,
  issueLabel,
  namesAuthor,
  reasonText,
} from "./history-labels.ts";
import { addNote, useInvalidateOrder } from "./queries.ts";

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

function Timeline(order: Events) {
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

interface Events {
  readonly events: readonly HistoryEvent[];
  /** Packers get none. */
  readonly payment_issues?: AdminOrder["payment_issues"];
}

/** The history of an order, newest first. A payment issue has the time when it was last opened. */
export function historyEntries({ events, payment_issues = [] }: Events) {
  const ofEvents = events.map((event, index) => {
    const { reason = null, detail, message, at } = event;
    return {
      // Events are only appended, so their index is a stable key.
      key: `${index}`,
      label: eventLabel(event),
      author: namesAuthor(event) ? actorLabel(event) : null,
      message,
      details: [reason && reasonText(reason), detail].filter((text) => text !== null),
      at,
    };
  });
  const ofIssues = payment_issues.map((issue) => ({
    key: issue.id,
    label: issueLabel(issue),
    author: null,
    message: null,
    details: [issue.detail],
    at: issue.opened_at,
  }));
  // An issue precedes an event of the same second, which may be its resolution. The sort is stable.
  return [...ofIssues, ...ofEvents].sort((a, b) => a.at - b.at).reverse();
}
