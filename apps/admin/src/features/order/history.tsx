import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import {
  type AdminOrder,
  actorLabel,
  happenedText,
  labelOf,
  MAX_NOTE_LENGTH,
  noteAnswerSchema,
  noteRequestSchema,
  type OrderEventKind,
  type PackingOrder,
  paths,
  withId,
} from "@keepsats/protocol";
import { post } from "../../lib/api.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import type { OrderView } from "../../lib/queries.ts";
import { useIdempotencyKey } from "../../lib/use-idempotency-key.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { returnLabels, shortLoanId } from "../../ui/order-labels.tsx";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { loanLabel } from "./loan-labels.ts";

export function History({ order }: { order: OrderView }) {
  const sendOnce = useIdempotencyKey();
  const form = useNewForm({
    schema: noteRequestSchema,
    labels: { text: "Note, for staff only" },
    values: { text: "" },
    draftKey: ["note-draft", order.id],
    async save(note) {
      const path = withId(paths.admin.notes, order.id);
      await sendOnce((key) => post(path, note, noteAnswerSchema, key));
      form.discard();
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

/** Packers get no reasons. */
export type HistoryEvent = PackingOrder["events"][number] &
  Partial<Pick<AdminOrder["events"][number], "reason">>;

const moves: Record<OrderStatus, string> = {
  Pending: "Payment attempt failed: awaiting payment again",
  PaymentProcessing: "A loan is active",
  PaymentProcessed: "Paid",
  Shipped: "Shipped",
  Delivered: "Delivered",
  Cancelled: "Cancelled",
};

/** The events that do not change the status. */
const kindLabels = {
  placed: "Placed",
  "attempt-failed": "Payment attempt failed",
  "address-corrected": "Shipping address corrected",
  "shipment-corrected": "Shipment corrected",
  noted: "Note",
  refunded: "Refunded",
  "refund-reversed": "Refund did not arrive",
  "return-requested": returnLabels.requested,
  "return-accepted": returnLabels.accepted,
  "return-received": returnLabels.received,
  "return-completed": returnLabels.completed,
  "return-declined": returnLabels.declined,
  "return-withdrawn": returnLabels.withdrawn,
  "issue-resolved": "Payment issue resolved",
  "issue-reopened": "Payment issue reopened",
  erased: "Name, email and addresses erased",
} satisfies Record<Exclude<OrderEventKind, "moved">, string>;

/** The kind itself for an event of a newer server. */
export function eventLabel({ kind, from, to }: Pick<HistoryEvent, "kind" | "from" | "to">): string {
  const move = isOrderStatus(to) ? moves[to] : to;
  return labelOf(kindLabels, kind, from === to ? kind : move);
}

/** Translates the server's reasons, such as `loan 2b89…: PrincipalGiven`. */
export function reasonText(reason: string): string {
  const [, id = "", status = ""] = /^loan (\S+): (\w+)$/.exec(reason) ?? [];
  if (id === "") return reason;
  const label = status === "accepted" ? "Accepted as full payment" : loanLabel(status, "");
  return `${label} (loan ${shortLoanId(id)})`;
}

/** What happened, as a line of the history. The kind itself for an issue of a newer server. */
export function issueLabel(issue: Pick<AdminOrder["payment_issues"][number], "kind">): string {
  return happenedText(issue).replace(/\.$/, "");
}

/** Whether a change is shown with its author: a loan that starts or fails has none. */
export function namesAuthor({ by, to }: Pick<HistoryEvent, "by" | "to">): boolean {
  return by !== "provider" || to === "PaymentProcessed";
}
