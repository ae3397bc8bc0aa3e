import { awaitsPayment, isOrderStatus, isPaidStatus } from "@keepsats/domain";
import type { PaymentIssue, Resolution } from "./merchant-money.ts";

/**
 * What staff can do about a payment issue.
 *
 * - `refund`: record a refund of its money.
 * - `accept`: make its loan a payment of the order, which is `accepted`.
 * - `keep`: the shop keeps its money, which is `accepted` too.
 * - `write-off`: give up what is missing, or money that nobody can return.
 * - `resolve`: its money was refunded already.
 * - `dismiss`: nothing is to do.
 * - `reopen`: take the resolution back.
 */
export type IssueAction =
  | "refund"
  | "accept"
  | "keep"
  | "write-off"
  | "resolve"
  | "dismiss"
  | "reopen";

/** The resolution of each action that is one. */
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

/** What is possible for a payment issue now, the usual action first. */
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

/** The kinds of payment issue whose loan does not pay its order by itself. */
const refusedKinds: readonly string[] = ["underpaid", "wrong-currency", "unknown-order"];

/** Whether staff can make the loan a payment of its order. */
function canPay({ kind, order_status, open_amount, balance }: Issue): boolean {
  if (order_status === null || !refusedKinds.includes(kind)) return false;
  if (isOrderStatus(order_status) && awaitsPayment(order_status)) return open_amount !== 0;
  return isPaidStatus(order_status) && balance.missing > 0;
}
