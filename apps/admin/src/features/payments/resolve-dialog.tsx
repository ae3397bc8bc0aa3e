import { happenedText, type PaymentIssue, resolutionText } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Figures } from "../../ui/values.tsx";
import { type IssueOption, issueFigures } from "./issue-labels.ts";
import { type Decision, decideIssue, invalidateIssues, issueQuery } from "./queries.ts";

interface ResolveDialogProps {
  readonly issue: PaymentIssue;
  readonly option: Omit<IssueOption, "action">;
  readonly decision: Decision;
  readonly onClose: () => void;
}

/** Resolves or reopens a payment issue with a note. The note stays if a colleague is faster. */
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

  /** If the response is lost, checks whether the decision was stored. */
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
      // Also after a refusal: a colleague's change may be the reason.
      invalidateIssues(client);
    }
  }
  return (
    <Loaded query={current} subject="The payment issue">
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

/** A colleague was faster: shows their decision and the note that was not saved. */
function Overtaken({ issue: { resolution }, note, onClose }: OvertakenProps) {
  return (
    <div role="alert">
      <p className="font-medium">
        {resolution === null ? "A colleague has reopened it." : "A colleague has resolved it."}
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
