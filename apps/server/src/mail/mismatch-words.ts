import type { MismatchKind } from "@keepsats/protocol";

const words: Readonly<Record<MismatchKind, string>> = {
  foreign: "A loan that names no order of this shop",
  reused: "A loan that was presented for another order than its own",
  "wrong-asset": "A loan that is not in dollars",
  underpaid: "A loan that lends less than the order costs",
  second: "A further loan for an order that was paid already",
  "paid-after-cancel": "A loan that was paid out after the order was cancelled",
  renamed: "A loan that names another order now",
  "changed-after-paid": "A loan that has changed after it had paid the order",
  dispute: "A loan about which the provider has a dispute",
  "unknown-status": "A loan whose status is not known here",
  "not-understood": "A loan that the shop does not understand",
  "refund-owed": "Money of a cancelled order that is owed back",
  overpaid: "A loan that lent more than the order costs",
};

/** A kind of mismatch in words; the kind itself if a newer version has stored it. */
export function mismatchWords(kind: string): string {
  return Object.entries(words).find(([known]) => known === kind)?.[1] ?? kind;
}
