import { type Cents, decimalFromCents } from "@keepsats/domain";
import {
  adviceText,
  happenedText,
  type IssueAction,
  issueActions,
  type PaymentIssue,
  resolutionByAction,
  resolutionText,
} from "@keepsats/protocol";
import { amountText } from "./ledger.ts";
import { formatTime, labelled, printable } from "./output.ts";

const INDENT = 10;

/** Describes a payment issue in lines that fit the terminal. */
export function describeIssue(issue: PaymentIssue, width: number): string {
  const { id, kind, loan_id, order_id, order_status, detail, opened_at, resolution } = issue;
  const field = (label: string, text: string) => labelled(label, text, { indent: INDENT, width });
  return [
    // Not wrapped, so that it can be copied.
    `ID        ${printable(id)}`,
    field("Kind", kind),
    field("Order", order_id === null ? "none" : `${order_id}, ${order_status ?? "unknown"}`),
    field("Loan", loan_id),
    field("Money", moneyText(issue)),
    field("Opened", `${formatTime(opened_at)} UTC`),
    field("Detail", detail),
    field("Resolved", resolution === null ? "no" : resolutionText(resolution)),
  ].join("\n");
}

function moneyText({ open_amount, refunded_amount, balance }: PaymentIssue): string {
  const sums: readonly (readonly [string, Cents | null])[] = [
    ["to decide", open_amount],
    ["refunded", refunded_amount],
    ["missing", balance.missing],
  ];
  const texts = sums
    .filter(([, cents]) => cents !== 0)
    .map(([label, cents]) => `${label} ${amountText(cents, balance.currency)}`);
  return texts.length === 0 ? "none" : texts.join(", ");
}

/** A command that records a refund, to be copied. @param named names the payment issue */
export function refundCommand(named: string, cents: Cents): string {
  return `payment-issues refund ${named} ${decimalFromCents(cents)} --method "bank transfer"`;
}

/**
 * The advice about a payment issue, with the commands that are possible. `named` names the payment
 * issue in them.
 */
export function nextSteps(issue: PaymentIssue, named: string): string[] {
  const commands = issueActions(issue).map((action) => `  ${commandFor(action, issue, named)}`);
  return issue.resolution === null
    ? [happenedText(issue), adviceText(issue), ...commands]
    : commands;
}

const notes: Readonly<Record<IssueAction, string>> = {
  refund: "",
  accept: "agreed on the phone",
  keep: "agreed on the phone",
  "write-off": "nobody claims it",
  resolve: "transferred on Monday",
  dismiss: "asked the provider",
  reopen: "it was a mistake",
};

function commandFor(action: IssueAction, { open_amount }: PaymentIssue, named: string): string {
  switch (action) {
    case "refund":
      return open_amount === null
        ? `payment-issues refund ${named} AMOUNT --method "bank transfer"`
        : refundCommand(named, open_amount);
    case "reopen":
      return `payment-issues reopen ${named} --note "${notes[action]}"`;
    case "accept":
    case "keep":
    case "write-off":
    case "resolve":
    case "dismiss":
      return `payment-issues resolve ${named} --as ${resolutionByAction[action]} --note "${notes[action]}"`;
  }
}
