import { type AdminEntry, refundReversalAnswerSchema, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import * as z from "zod/mini";
import { post } from "../lib/api.ts";
import { amountText } from "../lib/format.ts";
import { useNewForm } from "../lib/forms/form.ts";
import { isDecisionKind, type JournalLine, journalLines } from "../lib/journal.ts";
import { decisionRows, type FigureRow, FigureTable } from "./figure-table.tsx";
import { ChangeForm } from "./forms/change-form.tsx";
import { TextField } from "./forms/form-fields.tsx";
import { FormLead, FormModal } from "./forms/form-modal.tsx";
import { Money, Time } from "./values.tsx";

interface JournalProps {
  /** The path of the refunds of the account. */
  readonly refundsPath: string;
  readonly entries: readonly AdminEntry[];
}

/**
 * The journal of an account, newest first. Decisions are apart, so that the other amounts add up.
 * Refunds can be reversed.
 */
export function Journal({ refundsPath, entries }: JournalProps) {
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
            path={withId(`${refundsPath}/:refundId/reversal`, reversed.reversible)}
            entry={reversed.entry}
            onDone={() => setReversed(undefined)}
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
  readonly path: string;
  readonly entry: AdminEntry;
  readonly onDone: () => void;
}

const reversalSchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, "Enter a reason")),
});

function ReversalForm({ path, entry, onDone }: ReversalFormProps) {
  const form = useNewForm({
    schema: reversalSchema,
    done: "Refund reversed",
    labels: { reason: "Reason, for staff only" },
    values: { reason: "" },
    async save({ reason }) {
      await post(path, { reason }, refundReversalAnswerSchema);
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
