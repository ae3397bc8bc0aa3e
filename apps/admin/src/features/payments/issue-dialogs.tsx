import { happenedText, type PaymentIssue, type PaymentIssueDetail } from "@keepsats/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefundState, targetOfIssue } from "../../lib/refunds.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { Journal } from "../../ui/journal.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Modal } from "../../ui/modal.tsx";
import { RefundForm } from "../../ui/refund-form.tsx";
import { invalidateIssues, issueQuery } from "./queries.ts";

interface IssueDialogProps {
  readonly issue: PaymentIssue;
  readonly onClose: () => void;
}

/** Records a refund of the money of a payment issue. A full refund resolves it. */
export function RefundDialog({ issue, onClose }: IssueDialogProps) {
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
            onDone={() => {
              onClose();
              invalidateIssues(client);
            }}
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
export function JournalDialog({ issue, onClose }: IssueDialogProps) {
  const client = useQueryClient();
  return (
    <Modal title={`Journal of loan ${issue.loan_id}`} onClose={onClose}>
      <Loaded query={useQuery(issueQuery(issue.id))} subject="The journal">
        {({ ledger }) =>
          ledger.entries.length === 0 ? (
            <p className="text-ink-soft">No payout received yet.</p>
          ) : (
            <Journal
              account={{ issueId: issue.id }}
              entries={ledger.entries}
              onChanged={() => invalidateIssues(client)}
            />
          )
        }
      </Loaded>
    </Modal>
  );
}
