import { happenedText, type PaymentIssue, resolutionText } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { Figures } from "../../ui/values.tsx";
import { type IssueOption, issueFigures } from "./issue-labels.ts";
import { type Decision, decideIssue, invalidateIssues } from "./queries.ts";

interface ResolveDialogProps {
  readonly issue: PaymentIssue;
  readonly option: Omit<IssueOption, "action">;
  readonly decision: Decision;
  readonly onClose: () => void;
}

const schema = z.object({
  note: z.string().check(
    z.overwrite((text) => text.replaceAll("\n", " ")),
    z.trim(),
    z.minLength(1, "Enter a note"),
  ),
});

/** Resolves or reopens a payment issue with a note. */
export function ResolveDialog({ issue, option, decision, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const client = useQueryClient();
  const form = useNewForm({
    schema,
    labels: { note: "Note, for staff only" },
    values: { note: "" },
    async save({ note }) {
      try {
        const { resolution } = await decideIssue(issue.id, decision, note);
        if (resolution === null) toasts.success("The payment issue is open again.");
        else toasts.success("The payment issue is resolved.", resolutionText(resolution));
        onClose();
      } finally {
        // Also after a refusal: a colleague's change may be the reason.
        invalidateIssues(client);
      }
    },
  });
  return (
    <FormModal title={option.label} onClose={onClose}>
      <ChangeForm form={form} submit={option.label}>
        <FormLead>
          <p className="mb-3 font-medium">{happenedText(issue)}</p>
          <Figures figures={issueFigures(issue)} />
          <p className="text-ink-soft">{option.description}</p>
        </FormLead>
        <TextField
          form={form}
          name="note"
          rows={3}
          maxLength={1_000}
          hint="Required, for example: agreed on the phone"
        />
      </ChangeForm>
    </FormModal>
  );
}
