import { happenedText, type PaymentIssue, resolutionText } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { Figures } from "../../ui/figures.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { invalidateIssues } from "./issue-dialogs.tsx";
import { issueFigures } from "./issue-figures.ts";
import type { IssueOption } from "./issue-options.ts";
import { type Decision, decideIssue, issueQuery } from "./payments-queries.ts";

interface ResolveDialogProps {
  readonly issue: PaymentIssue;
  readonly option: Omit<IssueOption, "action">;
  readonly decision: Decision;
  readonly onClose: () => void;
}

/**
 * Resolves a payment issue, or opens it again, with a note. Typed text stays if a colleague does it
 * first.
 */
export function ResolveDialog({ issue, option, decision, onClose }: ResolveDialogProps) {
  return (
    <FormModal title={option.label} onClose={onClose}>
      <FormLead>
        <p className="mb-3 font-medium">{happenedText(issue)}</p>
        <Figures figures={issueFigures(issue)} />
        <p className="mb-4 text-ink-soft">{option.description}</p>
      </FormLead>
      <ResolveForm issue={issue} option={option} decision={decision} onClose={onClose} />
    </FormModal>
  );
}

const schema = z.object({
  note: z.string().check(
    z.overwrite((text) => text.replaceAll("\n", " ")),
    z.trim(),
    z.minLength(1, "Enter a note"),
  ),
});

function ResolveForm({ issue: opened, option, decision, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const client = useQueryClient();
  const query = issueQuery(opened.id);
  const current = useQuery(query);
  const [isSent, setIsSent] = useState(false);
  const form = useNewForm({
    schema,
    labels: { note: "Note, for staff only" },
    values: { note: "" },
    save,
  });
  const isDone = ({ resolution }: PaymentIssue, note: string) =>
    decision === "reopen"
      ? resolution === null
      : resolution?.kind === decision && resolution.note.trim() === note;

  /** Decides. If the response is lost, reads whether it was decided this way. */
  async function decide(note: string): Promise<PaymentIssue> {
    try {
      return await decideIssue(opened.id, decision, note);
    } catch (why) {
      const known = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined);
      if (known !== undefined && isDone(known, note)) return known;
      throw why;
    }
  }
  async function save({ note }: { readonly note: string }): Promise<void> {
    setIsSent(true);
    try {
      const { resolution } = await decide(note);
      const title =
        resolution === null ? "The payment issue is open again." : "The payment issue is resolved.";
      const description = resolution === null ? "" : resolutionText(resolution);
      toasts.show({ kind: "success", title, description });
      onClose();
    } finally {
      setIsSent(false);
      // Also after a refusal: the reason may be a change by a colleague.
      invalidateIssues(client);
    }
  }
  return (
    <Loaded query={current} what="The payment issue">
      {(issue) =>
        !isSent && (issue.resolution === null) === (decision === "reopen") ? (
          <Overtaken issue={issue} note={form.typed.note} onClose={onClose} />
        ) : (
          <ChangeForm form={form} submit={option.label}>
            <TextField
              form={form}
              name="note"
              rows={3}
              maxLength={1_000}
              hint="Required, for example: agreed on the phone"
            />
          </ChangeForm>
        )
      }
    </Loaded>
  );
}

interface OvertakenProps {
  readonly issue: PaymentIssue;
  readonly note: string;
  readonly onClose: () => void;
}

/** Says that a colleague was faster, with the note that was not saved. */
function Overtaken({ issue: { resolution }, note, onClose }: OvertakenProps) {
  return (
    <div role="alert">
      <p className="font-medium">
        {resolution === null ? "A colleague has opened it again." : "A colleague has resolved it."}
      </p>
      {resolution !== null && <p className="mb-4 wrap-anywhere">{resolutionText(resolution)}</p>}
      {note !== "" && (
        <p className="mb-4 wrap-anywhere text-ink-soft">Your note was not saved: {note}</p>
      )}
      <Button kind="strong" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
