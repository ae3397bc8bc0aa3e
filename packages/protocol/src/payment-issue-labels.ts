import { formatGroupedMoney } from "@keepsats/domain";
import { labelOf } from "./label-of.ts";
import {
  type IssueKind,
  moneyOfIssue,
  type PaymentIssue,
  type Resolution,
} from "./payment-issues.ts";

interface Labels {
  /** What happened, in one sentence. */
  readonly happened: string;
  /** What to do about its money. */
  readonly advice: string;
  /** What to do while there is no open money; the same as `advice` by default. */
  readonly adviceWithoutMoney?: string;
}

const askProvider =
  "Ask the loan provider what happened. Do not ship the order until you know. Then dismiss the issue here.";
const notPaidOut =
  "No payout received yet. Nothing to refund. If the loan is paid out, its amount is shown here.";
const nothingOpen = "Nothing to refund. Dismiss the issue with a note.";
const unknownAmount =
  "The provider reports no amount. Ask it how much it paid out. Then record the refund of that amount, accept the loan, or write the money off.";

const labels: Readonly<Record<string, Labels>> = {
  underpaid: {
    happened: "A loan lends less than its order costs.",
    advice: "Refund the money, or accept it as payment if it is enough for you.",
    adviceWithoutMoney: notPaidOut,
  },
  overpaid: {
    happened: "Money of a paid order is due to be refunded.",
    advice: "Refund the money, or keep it if the customer agrees. The order continues as usual.",
    adviceWithoutMoney: nothingOpen,
  },
  "wrong-currency": {
    happened: "A loan for an order is not in US dollars.",
    advice: "Refund the money, or accept it as payment if it is enough for you.",
    adviceWithoutMoney: notPaidOut,
  },
  "unknown-order": {
    happened: "A loan names an unknown order, or a different order than it was requested for.",
    advice:
      "Ask the loan provider and the customer which order it is for. If it is not corrected, refund the money, or write it off.",
    adviceWithoutMoney:
      "Ask the loan provider and the customer which order it is for. Nothing to refund here: any money received is listed under that order.",
  },
  duplicate: {
    happened: "A second loan was paid out for an order that was already paid.",
    advice: "Refund the money of this loan, or keep it if the customer agrees.",
    adviceWithoutMoney: nothingOpen,
  },
  "paid-after-cancel": {
    happened: "The shop has received money for an order that is cancelled.",
    advice: "Refund the money, or keep it if the customer agrees. The order stays cancelled.",
    adviceWithoutMoney: nothingOpen,
  },
  disputed: {
    happened: "The loan provider reports a dispute about a loan.",
    advice: askProvider,
  },
  "changed-after-payout": {
    happened: "A loan was changed at the provider after it paid an order.",
    advice: askProvider,
  },
  unrecognized: {
    happened: "The shop does not recognize the loan provider's report about a loan.",
    advice: askProvider,
  },
} satisfies Record<IssueKind, Labels>;

/** For a kind that a newer version has stored, the kind itself and general advice. */
function labelsOf(kind: string): Labels {
  const advice = "Ask the loan provider what happened, then decide about the money of the loan.";
  return labelOf(labels, kind, { happened: kind, advice, adviceWithoutMoney: askProvider });
}

export function happenedText({ kind }: { readonly kind: string }): string {
  return labelsOf(kind).happened;
}

type Advised = Pick<PaymentIssue, "kind" | "open_amount" | "refunded_amount"> & {
  readonly balance: Pick<PaymentIssue["balance"], "currency" | "missing">;
};

/** Says what to do about a payment issue, what was refunded, and what is missing. */
export function adviceText({ kind, open_amount, refunded_amount, balance }: Advised): string {
  const { advice, adviceWithoutMoney = advice } = labelsOf(kind);
  const money = (cents: number) => formatGroupedMoney(cents, balance.currency);
  if (moneyOfIssue(kind) === "none") {
    if (balance.missing === 0) return advice;
    return `${advice} ${money(balance.missing)} is missing. Write it off if it does not arrive.`;
  }
  if (open_amount === null) return unknownAmount;
  if (open_amount === 0) {
    return refunded_amount === 0
      ? adviceWithoutMoney
      : "Its money has already been refunded. Resolve the issue as refunded; do not refund it again.";
  }
  if (refunded_amount === 0) return advice;
  return `${money(refunded_amount)} has already been refunded. ${money(open_amount)} is left.`;
}

const resolutionLabels: Readonly<Record<string, string>> = {
  refunded: "Refunded",
  accepted: "Accepted",
  "written-off": "Written off",
  dismissed: "Dismissed",
} satisfies Record<Resolution, string>;

/** Such as "Refunded by Ada: on Monday". */
export function resolutionText(resolution: { kind: string; by: string; note: string }): string {
  const { kind, by, note } = resolution;
  return `${labelOf(resolutionLabels, kind, kind)} by ${by}: ${note}`;
}
