import { actorLabel } from "./actor-labels.ts";
import type { AdminOrder } from "./admin-orders.ts";
import { happenedText } from "./payment-issue-labels.ts";
import { doubtsPayment } from "./payment-issues.ts";

type Order = {
  /** Absent for packers. */
  readonly payment_issues?:
    | readonly Pick<AdminOrder["payment_issues"][number], "kind" | "detail" | "resolution">[]
    | undefined;
  readonly events: readonly Pick<AdminOrder["events"][number], "kind" | "to" | "by" | "by_name">[];
};

/**
 * The reasons to check an order before it ships: open payment issues and a changed address.
 * `hasIssue`: shipping needs `despite_issue`.
 */
export function shipWarnings({ payment_issues = [], events }: Order) {
  const issues = payment_issues.filter(
    ({ kind, resolution }) => resolution === null && doubtsPayment(kind),
  );
  const change = events.findLast(
    ({ kind, to }) => kind === "address-corrected" && to === "PaymentProcessed",
  );
  const texts = issues.map((issue) => `${happenedText(issue)} ${issue.detail}`);
  if (change !== undefined) {
    const author = actorLabel(change);
    texts.push(`The shipping address was changed after the payment, by ${author}. Check it.`);
  }
  return { texts, hasIssue: issues.length > 0 };
}
