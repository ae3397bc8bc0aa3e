import { formatGroupedMoney } from "@keepsats/domain";
import type { MerchantMismatch, MismatchKind } from "./merchant-money.ts";

interface Words {
  /** What happened, in one sentence. */
  readonly happened: string;
  /** What to do about it once money has come in by it. */
  readonly advice: string;
  /** What to do while no money has come in, where that is not the same. */
  readonly withoutMoney?: string;
}

const askProvider =
  "Ask the loan provider what happened. Do not ship the order before you know, then close it here with a note.";
const notPaidOut =
  "No payout received yet. Nothing to refund. If the loan is paid out, its amount is shown here.";
const isNoMoney =
  "It brought no money of its own, so there is nothing to give back. Close it with a note.";

const words: Readonly<Record<MismatchKind, Words>> = {
  underpaid: {
    happened: "A loan lends less than its order costs.",
    advice:
      "Give the money back to the shopper, or take it as the payment if it is enough for you.",
    withoutMoney: notPaidOut,
  },
  "wrong-asset": {
    happened: "A loan for an order lends something that is no dollar of the shop's.",
    advice: "Give the money back to the shopper, and agree on a new order.",
    withoutMoney:
      "Ask the loan provider whether it was paid out. If it was, give it back and cancel the order. Then close it here with a note.",
  },
  second: {
    happened: "A second loan was paid out for an order that is paid already.",
    advice: "Give the money of this loan back to the shopper.",
    withoutMoney: isNoMoney,
  },
  "paid-after-cancel": {
    happened: "A loan was paid out for an order that is cancelled.",
    advice: "Give the money back to the shopper: a cancelled order stays cancelled.",
    withoutMoney: isNoMoney,
  },
  "refund-owed": {
    happened: "A paid order was cancelled, so its money has to go back.",
    advice: "Give the money back to the shopper.",
    withoutMoney: isNoMoney,
  },
  overpaid: {
    happened: "A loan has paid its order with more than it costs.",
    advice: "Give back to the shopper what is too much. The order goes on as usual.",
  },
  "changed-after-paid": {
    happened: "A loan that has paid an order was changed at the provider afterwards.",
    advice: askProvider,
  },
  renamed: {
    happened:
      "A loan of one order named another one, or none, when it was paid out. It pays neither.",
    advice:
      "Ask the customer and the loan provider which order it is for. If nobody corrects it, give the money back.",
    withoutMoney:
      "Ask the customer and the loan provider which order it is for. Its money is listed with the order that the loan belongs to. Then close it here with a note.",
  },
  dispute: {
    happened: "The loan provider reports a dispute about a loan.",
    advice: askProvider,
  },
  "unknown-status": {
    happened: "The loan provider reports a status of a loan that the shop does not know.",
    advice: askProvider,
  },
  "not-understood": {
    happened: "The loan provider reports a loan in a form that the shop does not understand.",
    advice: "Ask the loan provider to correct it, then close it here with a note.",
  },
  foreign: {
    happened: "A loan names an order that this shop does not have, or none.",
    advice: "Ask the loan provider whose loan it is, and give the money back to that person.",
    withoutMoney: notPaidOut,
  },
  reused: {
    happened: "A loan was presented for another order than the one that it names.",
    advice: "Ask the loan provider whose loan it is, and give the money back to that person.",
    withoutMoney: notPaidOut,
  },
};

const wordsByKind = new Map<string, Words>(Object.entries(words));

/** A payment issue in one sentence; the kind itself if a newer version has stored it. */
export function happenedText({ kind }: { readonly kind: string }): string {
  return wordsByKind.get(kind)?.happened ?? kind;
}

/** What to do about a mismatch, and how much of its money is recorded as given back already. */
export function adviceText({
  kind,
  amount,
  still_owed,
}: Pick<MerchantMismatch, "kind" | "amount" | "still_owed">): string {
  const { advice, withoutMoney } = words[kind];
  if (amount === null) return withoutMoney ?? advice;
  if (still_owed === 0)
    return "Its money is recorded as given back already: give nothing back again, say so here.";
  if (still_owed === undefined || still_owed >= amount) return advice;
  const [given, rest] = [formatGroupedMoney(amount - still_owed), formatGroupedMoney(still_owed)];
  return `${given} is recorded as given back already, ${rest} is still to be given back.`;
}

const resolved: Readonly<Record<string, string>> = {
  given_back: "Money given back",
  accepted: "Taken as the payment",
  explained: "Dismissed",
};

/**
 * How a mismatch was resolved and by whom, such as "Money given back by Ada: transferred on
 * Monday".
 */
export function resolutionText({
  kind,
  by,
  note,
}: Pick<NonNullable<MerchantMismatch["resolution"]>, "kind" | "by" | "note">): string {
  return `${resolved[kind] ?? kind} by ${by}: ${note}`;
}
