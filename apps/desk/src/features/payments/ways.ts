import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { MerchantMismatch, ResolutionRequest } from "@keepsats/protocol";

/** One way to resolve a mismatch. */
export interface Way {
  readonly kind: ResolutionRequest["kind"];
  /** Of the button that opens it. */
  readonly label: string;
  /** What it means, for whoever is about to choose it. */
  readonly meaning: string;
  /** Why it is not possible now; `undefined` if it is. */
  readonly barred: string | undefined;
}

type Judged = Pick<MerchantMismatch, "kind" | "amount" | "order_status">;

/** The three ways to resolve a mismatch, the usual one first. */
export function waysOf(mismatch: Judged): readonly [Way, Way, Way] {
  const givenBack: Way = {
    kind: "given_back",
    label: "Money given back",
    meaning:
      "You have given the money back to the shopper, who repays the lender: for example by bank transfer to an account that the shopper names. The shop pays nothing itself: it records what you did.",
    barred:
      mismatch.amount === null
        ? "The shop does not know that money has come in by it, or how much. Wait for the amount, or close it with a note."
        : undefined,
  };
  const accepted: Way = {
    kind: "accepted",
    label: "Take as payment",
    meaning: "The money is enough for you: the order is paid by it, and is shipped as usual.",
    barred: barredAcceptance(mismatch),
  };
  const explained: Way = {
    kind: "explained",
    label: "Close with a note",
    meaning:
      mismatch.amount === null
        ? "No payout received yet, so nothing is refunded."
        : "Only if nothing more has to be given back, for example because the shopper has agreed: the shop keeps the money.",
    barred: undefined,
  };
  return mismatch.amount === null
    ? [explained, givenBack, accepted]
    : [givenBack, accepted, explained];
}

/** Whether staff can only wait: the loan does not match its order and has not been paid out yet. */
export function waitsForPayout({
  kind,
  amount,
}: Pick<MerchantMismatch, "kind" | "amount">): boolean {
  return amount === null && (kind === "underpaid" || kind === "foreign" || kind === "reused");
}

/** Why a mismatch cannot be taken as the payment of its order. */
function barredAcceptance({ kind, amount, order_status }: Judged): string | undefined {
  if (kind !== "underpaid") return "Only a loan that lends too little can be taken as the payment.";
  if (amount === null) return "No money has come in yet that could be taken.";
  if (order_status === null || !isOrderStatus(order_status) || !awaitsPayment(order_status))
    return "The order does not wait for its payment any more.";
  return undefined;
}

/**
 * The amount that has to be recorded before a mismatch is resolved in this way, in cents.
 *
 * @param mismatch as it was read by itself: the list of all mismatches does not say what is still
 *   owed
 */
export function stillToRecord(
  as: ResolutionRequest["kind"],
  mismatch: Pick<MerchantMismatch, "still_owed"> | undefined,
): Cents {
  return as === "given_back" ? (mismatch?.still_owed ?? 0) : 0;
}
