import { formatGroupedMoney } from "@keepsats/domain";
import type { IssueKind, PaymentIssue, resolutions } from "./merchant-money.ts";

interface Labels {
  /** What happened, in one sentence. */
  readonly happened: string;
  /** What to do about it once money was received. */
  readonly advice: string;
  /** What to do while no money was received; the same as `advice` by default. */
  readonly adviceWithoutMoney?: string;
}

const askProvider =
  "Ask the loan provider what happened. Do not ship the order before you know, then dismiss the issue here.";
const notPaidOut =
  "No payout received yet. Nothing to refund. If the loan is paid out, its amount is shown here.";
const bringsNoMoney =
  "It brought no money of its own. Nothing to refund. Dismiss the issue with a note.";

const labels: Readonly<Record<IssueKind, Labels>> = {
  underpaid: {
    happened: "A loan lends less than its order costs.",
    advice: "Refund the money, or accept it as payment if it is enough for you.",
    adviceWithoutMoney: notPaidOut,
  },
  overpaid: {
    happened: "A loan has paid its order with more than it costs.",
    advice: "Refund the excess. The order goes on as usual.",
  },
  "wrong-currency": {
    happened: "A loan for an order lends another asset than US dollars.",
    advice: "Refund the money, and agree on a new order with the customer.",
    adviceWithoutMoney:
      "Ask the loan provider whether it was paid out. If it was, refund it and cancel the order. Then dismiss the issue here.",
  },
  "unknown-order": {
    happened: "A loan names no order of this shop, or another one than it was meant for.",
    advice:
      "Ask the loan provider and the customer which order it is for. If nobody corrects it, refund the money.",
    adviceWithoutMoney:
      "Ask the loan provider and the customer which order it is for. Nothing to refund here: money that was received is listed with the order that the loan belongs to.",
  },
  duplicate: {
    happened: "A second loan was paid out for an order that is paid already.",
    advice: "Refund the money of this loan.",
    adviceWithoutMoney: bringsNoMoney,
  },
  "paid-after-cancel": {
    happened: "A loan was paid out for an order that is cancelled.",
    advice: "Refund the money: a cancelled order stays cancelled.",
    adviceWithoutMoney: bringsNoMoney,
  },
  disputed: {
    happened: "The loan provider reports a dispute about a loan.",
    advice: askProvider,
  },
  "changed-after-payout": {
    happened: "A loan that has paid an order was changed at the provider afterwards.",
    advice: askProvider,
  },
  unrecognized: {
    happened: "The loan provider reports a loan in a way that the shop does not recognize.",
    advice: askProvider,
  },
};

const labelsByKind = new Map<string, Labels>(Object.entries(labels));

/** Describes a payment issue in one sentence; the kind itself if a newer version has stored it. */
export function happenedText({ kind }: { readonly kind: string }): string {
  return labelsByKind.get(kind)?.happened ?? kind;
}

/** What to do about a payment issue, and how much of its money was refunded already. */
export function adviceText({
  kind,
  amount,
  refund_due,
}: Pick<PaymentIssue, "kind" | "amount" | "refund_due">): string {
  const { advice, adviceWithoutMoney = advice } = labels[kind];
  if (amount === null) return adviceWithoutMoney;
  if (refund_due === 0)
    return "Its money was refunded already. Resolve the issue as refunded; do not refund it again.";
  if (refund_due === undefined || refund_due >= amount) return advice;
  const refunded = formatGroupedMoney(amount - refund_due);
  return `${refunded} was refunded already. Refund due: ${formatGroupedMoney(refund_due)}.`;
}

const resolutionLabels = new Map<string, string>(
  Object.entries({
    refunded: "Refunded",
    accepted: "Accepted as payment",
    dismissed: "Dismissed",
  } satisfies Record<(typeof resolutions)[number], string>),
);

/** How a payment issue was resolved and by whom, such as "Refunded by Ada: on Monday". */
export function resolutionText({
  kind,
  by,
  note,
}: Pick<NonNullable<PaymentIssue["resolution"]>, "kind" | "by" | "note">): string {
  return `${resolutionLabels.get(kind) ?? kind} by ${by}: ${note}`;
}
