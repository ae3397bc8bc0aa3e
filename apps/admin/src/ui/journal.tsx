import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../lib/form.ts";
import { type AdminEntry, type JournalLine, journalLines } from "../lib/journal.ts";
import { type RefundAccount, reasonSchema, reverseRefund } from "../lib/refunds.ts";
import { ChangeForm } from "./change-form.tsx";
import { TextField } from "./form-fields.tsx";
import { FormLead, FormModal } from "./form-modal.tsx";
import { Money, Time } from "./values.tsx";

interface JournalProps {
  readonly account: RefundAccount;
  readonly entries: readonly AdminEntry[];
  /** Called once a refund is reversed. */
  readonly onChanged: () => void;
}

/** The journal of an account, newest first. Refunds can be reversed. */
export function Journal({ account, entries, onChanged }: JournalProps) {
  const [reversed, setReversed] = useState<JournalLine>();
  if (entries.length === 0) return null;
  return (
    <>
      <table className="w-full text-left">
        <caption className="sr-only">Journal</caption>
        <thead className="border-b border-line text-sm text-ink-soft">
          <tr>
            <th scope="col" className="py-1.5 font-medium">
              Entry
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {journalLines(entries)
            .toReversed()
            .map((line) => (
              <Line key={line.entry.id} line={line} onReverse={() => setReversed(line)} />
            ))}
        </tbody>
      </table>
      {reversed?.reversible !== undefined && (
        <FormModal title="Refund did not arrive" onClose={() => setReversed(undefined)}>
          <ReversalForm
            account={account}
            refundId={reversed.reversible}
            entry={reversed.entry}
            onDone={() => {
              setReversed(undefined);
              onChanged();
            }}
          />
        </FormModal>
      )}
    </>
  );
}

function Line({ line, onReverse }: { line: JournalLine; onReverse: () => void }) {
  const { entry, label, amount, detail, by, reversible } = line;
  return (
    <tr className="align-baseline">
      <th scope="row" className="py-2 pr-4 font-normal">
        {label}
        <span className="block text-sm wrap-anywhere text-ink-soft">
          <Time at={entry.at} /> by {by}
          {detail !== "" && <span className="block">{detail}</span>}
        </span>
        {reversible !== undefined && (
          <Button className="mt-2" onClick={onReverse}>
            Refund did not arrive…
          </Button>
        )}
      </th>
      <td className="py-2 text-right whitespace-nowrap">
        <Money cents={amount} currency={entry.currency} />
      </td>
    </tr>
  );
}

interface ReversalFormProps {
  readonly account: RefundAccount;
  readonly refundId: string;
  readonly entry: AdminEntry;
  readonly onDone: () => void;
}

function ReversalForm({ account, refundId, entry, onDone }: ReversalFormProps) {
  const toasts = useToasts();
  const form = useNewForm({
    schema: z.object({ reason: reasonSchema }),
    labels: { reason: "Reason, for staff only" },
    values: { reason: "" },
    async save({ reason }) {
      await reverseRefund(account, refundId, reason);
      toasts.show({ kind: "success", title: "Refund reversed", description: "" });
      onDone();
    },
  });
  return (
    <ChangeForm form={form} submit="Reverse the refund">
      <FormLead>
        <p>
          The shop has <Money cents={entry.amount} currency={entry.currency} /> again. Refund it
          again, or decide what happens to it.
        </p>
      </FormLead>
      <TextField form={form} name="reason" maxLength={500} />
    </ChangeForm>
  );
}
