import { awaitsPayment, isPaidStatus } from "@keepsats/domain";
import { isLoanRefusal, type PaymentIssue, type Resolution } from "./payment-issues.ts";

/**
 * The actions that staff can take on a payment issue.
 *
 * - `refund`: record a refund of its money.
 * - `accept`: make its loan a payment of the order.
 * - `keep`: keep its money.
 * - `write-off`: write off what is missing, or money that cannot be returned.
 * - `resolve`: its money has already been refunded.
 * - `dismiss`: no action is needed.
 * - `reopen`: undo the resolution.
 */
export type IssueAction =
  | "refund"
  | "accept"
  | "keep"
  | "write-off"
  | "resolve"
  | "dismiss"
  | "reopen";

/** The resolution that an action records. */
export const resolutionByAction = {
  accept: "accepted",
  keep: "accepted",
  "write-off": "written-off",
  resolve: "refunded",
  dismiss: "dismissed",
} as const satisfies Partial<Record<IssueAction, Resolution>>;

type Issue = Pick<
  PaymentIssue,
  "kind" | "order_status" | "open_amount" | "refunded_amount" | "balance" | "resolution"
>;

/** The actions that a payment issue allows now, the usual one first. */
export function issueActions(issue: Issue): readonly IssueAction[] {
  const { resolution, order_status, open_amount, refunded_amount, balance } = issue;
  // A refund is reversed instead.
  if (resolution !== null) return resolution.kind === "refunded" ? [] : ["reopen"];
  const isOpen = open_amount !== 0;
  const isStray = isOpen && (order_status === null || open_amount === null);
  const actions: IssueAction[] = isOpen ? ["refund"] : [];
  if (canPay(issue)) actions.push("accept");
  else if (isOpen) actions.push("keep");
  if (balance.missing > 0 || isStray) actions.push("write-off");
  if (!isOpen) actions.push(refunded_amount > 0 ? "resolve" : "dismiss");
  return actions;
}

function canPay({ kind, order_status, open_amount, balance }: Issue): boolean {
  if (order_status === null || !isLoanRefusal(kind)) return false;
  if (awaitsPayment(order_status)) return open_amount !== 0;
  return isPaidStatus(order_status) && balance.missing > 0;
}
