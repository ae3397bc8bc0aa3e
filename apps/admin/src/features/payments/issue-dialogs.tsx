import {
  happenedText,
  type PaymentIssue,
  type PaymentIssueDetail,
  paths,
  paymentIssueDetailSchema,
  type Resolution,
  resolutionByAction,
  resolutionText,
  withId,
} from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { apiQuery, post } from "../../lib/api.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import { RefundForm } from "../../refunds/refund-form.tsx";
import { type RefundState, targetOfIssue } from "../../refunds/refunds.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/forms/form-modal.tsx";
import { Journal } from "../../ui/journal.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Figures } from "../../ui/values.tsx";
import { type IssueOption, issueFigures } from "./issue-labels.ts";

/** One payment issue with the ledger of its account. */
function issueQuery(id: string) {
  const path = withId(paths.admin.paymentIssue, id);
  return apiQuery(path, paymentIssueDetailSchema, ["payment_issues", "orders"]);
}

interface DialogProps {
  readonly issue: PaymentIssue;
  readonly onClose: () => void;
}

interface IssueDialogProps extends DialogProps {
  /** `undefined` to show the journal. */
  readonly option: IssueOption | undefined;
}

export function IssueDialog({ option, ...props }: IssueDialogProps) {
  if (option === undefined) return <JournalDialog {...props} />;
  const { action } = option;
  if (action === "refund") return <RefundDialog {...props} />;
  const decision = action === "reopen" ? action : resolutionByAction[action];
  return <ResolveDialog {...props} option={option} decision={decision} />;
}

/** Records a refund of the money of a payment issue. A full refund resolves it. */
function RefundDialog({ issue, onClose }: DialogProps) {
  const client = useQueryClient();
  const query = issueQuery(issue.id);
  const current = useQuery({ ...query, staleTime: 0, select: refundState });
  // The form keeps its initial state, so it waits for the current one.
  const data = current.isFetchedAfterMount ? current.data : undefined;
  return (
    <FormModal title="Record a refund" onClose={onClose}>
      <p className="mb-3 font-medium">{happenedText(issue)}</p>
      <Loaded query={{ ...current, data }} subject="The payment issue">
        {(state) => (
          <RefundForm
            state={state}
            read={async () => refundState(await client.fetchQuery({ ...query, staleTime: 0 }))}
            onDone={onClose}
          />
        )}
      </Loaded>
    </FormModal>
  );
}

function refundState(issue: PaymentIssueDetail): RefundState {
  const target = targetOfIssue(issue);
  return { ledger: issue.ledger, targets: target === undefined ? [] : [target] };
}

/** The journal of a loan without an order. */
function JournalDialog({ issue, onClose }: DialogProps) {
  return (
    <Modal title={`Journal of loan ${issue.loan_id}`} onClose={onClose}>
      <Loaded query={useQuery(issueQuery(issue.id))} subject="The journal">
        {({ ledger }) =>
          ledger.entries.length === 0 ? (
            <p className="text-ink-soft">No payout received yet.</p>
          ) : (
            <Journal
              refundsPath={withId(paths.admin.issueRefunds, issue.id)}
              entries={ledger.entries}
            />
          )
        }
      </Loaded>
    </Modal>
  );
}

interface ResolveDialogProps extends DialogProps {
  readonly option: IssueOption;
  readonly decision: Resolution | "reopen";
}

const schema = z.object({
  note: z.string().check(
    z.overwrite((text) => text.replaceAll("\n", " ")),
    z.trim(),
    z.minLength(1, "Enter a note"),
  ),
});

function ResolveDialog({ issue, option, decision, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const form = useNewForm({
    schema,
    labels: { note: "Note, for staff only" },
    values: { note: "" },
    async save({ note }) {
      const [path, body] =
        decision === "reopen"
          ? [paths.admin.reopening, { note }]
          : [paths.admin.resolution, { kind: decision, note }];
      const { resolution } = await post(withId(path, issue.id), body, paymentIssueDetailSchema);
      if (resolution === null) toasts.success("Payment issue reopened");
      else toasts.success("Payment issue resolved", resolutionText(resolution));
      onClose();
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
