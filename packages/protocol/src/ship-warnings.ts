import type { MerchantOrder } from "./merchant-orders.ts";
import { happenedText } from "./payment-issue-labels.ts";

/** What staff look at before they ship a paid order. */
export interface ShipWarnings {
  readonly texts: readonly string[];
  /** Whether an open payment issue is among them, so that the server ships only despite it. */
  readonly hasIssue: boolean;
}

type Order = {
  readonly payment_issues: readonly Pick<
    MerchantOrder["payment_issues"][number],
    "kind" | "detail" | "resolution"
  >[];
  readonly events: readonly Pick<
    MerchantOrder["events"][number],
    "kind" | "to" | "by" | "by_name"
  >[];
};

/** The kinds of payment issue that may mean that the money of a paid order is not safe. */
const asking: readonly string[] = ["disputed", "changed-after-payout"];

const actors: Readonly<Record<string, string>> = { shopper: "the customer", merchant: "staff" };

/** What speaks against shipping an order: open payment issues, and an address that was changed. */
export function shipWarnings({ payment_issues, events }: Order): ShipWarnings {
  const issues = payment_issues.filter(
    ({ kind, resolution }) => resolution === null && asking.includes(kind),
  );
  const change = events.findLast(
    ({ kind, to }) => kind === "address-corrected" && to === "PaymentProcessed",
  );
  const texts = issues.map((issue) => `${happenedText(issue)} ${issue.detail}`);
  if (change !== undefined) {
    const by = change.by_name ?? actors[change.by] ?? change.by;
    texts.push(`The shipping address was changed after the payment, by ${by}. Check it.`);
  }
  return { texts, hasIssue: issues.length > 0 };
}
