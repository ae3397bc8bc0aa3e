import { type IssueAction, issueActions } from "@keepsats/protocol";

/** An action for a payment issue, as staff see it. */
export interface IssueOption {
  readonly action: IssueAction;
  /** The text of its button. */
  readonly label: string;
  /** What it does, shown before staff confirm it. */
  readonly description: string;
}

const labels: Readonly<Record<IssueAction, Omit<IssueOption, "action">>> = {
  refund: { label: "Refund…", description: "" },
  accept: {
    label: "Accept as payment",
    description: "The order counts as paid and is shipped as usual. What is missing is waived.",
  },
  keep: {
    label: "Keep the money",
    description: "The shop keeps it. Do this only if the customer agrees that no refund is due.",
  },
  "write-off": {
    label: "Write off",
    description: "Missing money is given up. Money that nobody can return stays with the shop.",
  },
  resolve: { label: "Resolve as refunded", description: "Its money was refunded already." },
  dismiss: { label: "Dismiss", description: "Nothing is to do. The journal stays as it is." },
  reopen: {
    label: "Reopen",
    description: "Its resolution is undone in the journal. The order keeps its status.",
  },
};

/** What is possible for a payment issue now, the usual option first. */
export function issueOptions(issue: Parameters<typeof issueActions>[0]): readonly IssueOption[] {
  return issueActions(issue).map((action) => ({ action, ...labels[action] }));
}
