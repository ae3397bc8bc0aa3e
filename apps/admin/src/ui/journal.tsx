import type { AdminEntry } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../lib/form.ts";
import { amountText } from "../lib/format.ts";
import { isDecisionKind, type JournalLine, journalLines } from "../lib/journal.ts";
import { type RefundAccount, reasonSchema, reverseRefund } from "../lib/refunds.ts";
import { ChangeForm } from "./change-form.tsx";
import { decisionRows, type FigureRow, FigureTable } from "./figure-table.tsx";
import { TextField } from "./form-fields.tsx";
import { FormLead, FormModal } from "./form-modal.tsx";
import { Money, Time } from "./values.tsx";

interface JournalProps {
  readonly account: RefundAccount;
  readonly entries: readonly AdminEntry[];
  readonly onChanged: () => void;
}

/**
 * The journal of an account, newest first. Decisions are apart, so that the other amounts add up.
 * Refunds can be reversed.
 */
export function Journal({ account, entries, onChanged }: JournalProps) {
  const [reversed, setReversed] = useState<JournalLine>();
  if (entries.length === 0) return null;
  const lines = journalLines(entries).toReversed();
  const decisions = lines.filter(({ entry }) => isDecisionKind(entry.kind));
  const row = (line: JournalLine): FigureRow => ({
    key: line.entry.id,
    label: <Line line={line} onReverse={() => setReversed(line)} />,
    figures: [amountText(line.amount, line.entry.currency)],
  });
  return (
    <>
      <FigureTable
        caption="Journal"
        columns={["Entry", "Amount"]}
        rows={[
          ...lines.filter((line) => !decisions.includes(line)).map(row),
          ...decisionRows(decisions.map(row)),
        ]}
      />
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
  const { entry, label, detail, by, reversible } = line;
  return (
    <>
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
    </>
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
      toasts.success("Refund reversed");
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
