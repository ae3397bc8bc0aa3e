import { type IssueAction, issueActions, type PaymentIssue } from "@keepsats/protocol";
import type { Figure } from "../../ui/values.tsx";

export interface IssueOption {
  readonly action: IssueAction;
  readonly label: string;
  /** The consequence, shown before staff confirm it. */
  readonly description: string;
}

const labels: Readonly<Record<IssueAction, Omit<IssueOption, "action">>> = {
  refund: { label: "Refund…", description: "" },
  accept: {
    label: "Accept as payment",
    description: "The order counts as paid and is shipped as usual. Any missing amount is waived.",
  },
  keep: {
    label: "Keep the money",
    description: "The shop keeps it. Do this only if the customer agrees that no refund is due.",
  },
  "write-off": {
    label: "Write off",
    description:
      "Missing money is recorded as a loss. Money that cannot be returned stays with the shop.",
  },
  resolve: { label: "Resolve as refunded", description: "Its money has already been refunded." },
  dismiss: { label: "Dismiss", description: "No action is needed. The journal does not change." },
  reopen: {
    label: "Reopen",
    description: "Its resolution is undone in the journal. The order keeps its status.",
  },
};

/** The possible actions for a payment issue, the usual one first. */
export function issueOptions(issue: Parameters<typeof issueActions>[0]): readonly IssueOption[] {
  return issueActions(issue).map((action) => ({ action, ...labels[action] }));
}

/** The money of a payment issue, and the refund due for its order if that is more. */
export function issueFigures(issue: PaymentIssue): readonly Figure[] {
  const { order_status, open_amount, refunded_amount, balance } = issue;
  const { currency, refund_due, missing } = balance;
  const isMore = order_status !== null && refund_due > (open_amount ?? 0);
  const figures: readonly Figure[] = [
    { label: "Needs a decision", cents: open_amount, currency },
    { label: "Refunded", cents: refunded_amount, currency },
    { label: "Refund due for the order", cents: isMore ? refund_due : 0, currency },
    { label: "Missing", cents: missing, currency },
  ];
  return figures.filter(({ cents }) => cents !== 0);
}
