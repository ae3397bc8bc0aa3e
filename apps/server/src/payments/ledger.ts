import { awaitsPayment, type Cents, isOrderStatus } from "@keepsats/domain";
import type { MismatchKind } from "@keepsats/protocol";
import type { PayableOrder } from "./decision.ts";
import type { BoundLoan } from "./loan-repository.ts";
import type { Resolution } from "./mismatch.ts";

/** A mismatch as far as the ledger needs it. */
export interface BookedMismatch {
  readonly contractId: string;
  /** Any text: a newer version may have stored a kind that this version does not know. */
  readonly kind: MismatchKind | (string & {});
  /**
   * The money that came in by it and pays no order; `undefined` if none came in, or the amount is
   * not known.
   */
  readonly cents: Cents | undefined;
  readonly resolution: Resolution | undefined;
  /** In epoch milliseconds. */
  readonly seenAt: number;
}

/** Money that the merchant has given back, as it was recorded; `at` in epoch milliseconds. */
export interface Refund {
  readonly id: string;
  readonly cents: Cents;
  readonly method: string;
  readonly reference: string | undefined;
  readonly byName: string;
  readonly at: number;
}

/** Everything that the ledger of one order is derived from. */
export interface Books {
  /** Its status may be one that this version does not know. */
  readonly order: PayableOrder;
  /** The loans that are bound to the order. */
  readonly loans: readonly BoundLoan[];
  /** The mismatches of the order; without those of loans that are bound to another order. */
  readonly mismatches: readonly BookedMismatch[];
  readonly refunds: readonly Refund[];
}

/** The principal that one loan brought for an order; `at` in epoch milliseconds. */
export interface Receipt {
  readonly contractId: string;
  readonly cents: Cents;
  /** Whether the loan is bound to the order as paid; otherwise only a mismatch has it. */
  readonly isBound: boolean;
  readonly at: number;
}

export type LedgerEntry =
  | ({ readonly kind: "received" } & Receipt)
  | ({ readonly kind: "given-back" } & Refund);

/**
 * The money of one order, in cents. Always: `received = kept + refundable + givenBack`, unless too
 * much was given back.
 */
export interface Ledger {
  /** All principal that was paid out for the order, each loan once; extensions bring none. */
  readonly received: Cents;
  /** What the order keeps of it: its price, and what the merchant has explained. */
  readonly kept: Cents;
  /** The part of `kept` that the merchant has explained. */
  readonly explained: Cents;
  /** What must be given back. */
  readonly owed: Cents;
  /** What may be given back: what is owed, or the money of an order that still waits to be paid. */
  readonly refundable: Cents;
  readonly givenBack: Cents;
  /** What a paid order has not received, for example because an underpaid loan was accepted. */
  readonly missing: Cents;
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Derives the ledger of an order. Nothing of it is stored, so it agrees with loans, mismatches and
 * refunds.
 *
 * Example: an order of $45.00 with two paid loans of $45.00 each has received $90.00, keeps $45.00
 * and owes $45.00.
 */
export function ledgerOf(books: Books): Ledger {
  const { order, refunds } = books;
  const receipts = receiptsOf(books);
  const received = sum(receipts);
  const givenBack = sum(refunds);
  // What was given back is not there to be kept, whatever somebody explains later.
  const explained = Math.min(explainedOf(receipts, books), Math.max(0, received - givenBack));
  const phase = phaseOf(order.status);
  // Refunds are taken from the money that pays nothing first, so a payment is reduced by what
  // exceeds that.
  const paying = Math.min(
    sum(receipts.filter(({ isBound }) => isBound)),
    received - explained - givenBack,
  );
  const price = phase === "paid" ? Math.max(0, Math.min(order.total, paying)) : 0;
  const kept = price + explained;
  const refundable = Math.max(0, received - kept - givenBack);
  return {
    received,
    kept,
    explained,
    owed: phase === "awaiting" ? 0 : refundable,
    refundable,
    givenBack,
    missing: phase === "paid" ? order.total - price : 0,
    entries: entriesOf(receipts, refunds),
  };
}

/** A status of a newer version counts as paid: then only what exceeds the total is owed. */
function phaseOf(status: string): "awaiting" | "paid" | "cancelled" {
  if (!isOrderStatus(status)) return "paid";
  if (awaitsPayment(status)) return "awaiting";
  return status === "Cancelled" ? "cancelled" : "paid";
}

function receiptsOf({ order, loans, mismatches }: Books): Receipt[] {
  const paid = loans.filter(({ standing }) => standing === "paid");
  const bound = paid
    .filter((loan) => loan.extends === undefined)
    // The amount of a loan that an early version has bound may be unknown; it was bound only if it
    // covered the total.
    .map(({ id, cents, boundAt }) => ({
      contractId: id,
      cents: cents ?? order.total,
      isBound: true,
      at: boundAt,
    }));
  const counted = new Set(paid.map(({ id }) => id));
  const others = Map.groupBy(mismatches, ({ contractId }) => contractId);
  const unbound = [...others].flatMap(([contractId, some]) => {
    const cents = Math.max(0, ...some.map((one) => one.cents ?? 0));
    if (counted.has(contractId) || cents === 0) return [];
    const at = Math.min(
      ...some.filter((one) => one.cents !== undefined).map(({ seenAt }) => seenAt),
    );
    return [{ contractId, cents, isBound: false, at }];
  });
  return [...bound, ...unbound];
}

/** The money of which the merchant has explained why the shop keeps it. */
function explainedOf(receipts: readonly Receipt[], { mismatches }: Books): Cents {
  return receipts.reduce(
    (total, receipt) => total + coveredBy(mismatches.filter(isExplained), receipt),
    0,
  );
}

const isExplained = ({ resolution }: BookedMismatch) => resolution === "explained";
const isGivenBack = ({ resolution }: BookedMismatch) => resolution === "given_back";
/** An accepted loan pays its order, so none of its money is seen to when the order is cancelled. */
const isNotAccepted = ({ resolution }: BookedMismatch) => resolution !== "accepted";

/**
 * The part of one loan's money that mismatches are about. Two mismatches of one loan are about
 * different parts (`overpaid` about the excess, `refund-owed` about the rest) or about the whole,
 * so they are added up to the whole at most.
 */
function coveredBy(mismatches: readonly BookedMismatch[], { contractId, cents }: Receipt): Cents {
  const amounts = mismatches
    .filter((one) => one.contractId === contractId)
    .map((one) => one.cents ?? 0);
  return Math.min(
    cents,
    amounts.reduce((total, amount) => total + amount, 0),
  );
}

/**
 * What is owed of each loan's money by an order that is cancelled; together it is `owed` of the
 * ledger. Refunds belong to the order and not to one loan. They are taken from the money that was
 * resolved as given back, then from other money that paid nothing, then from the rest.
 */
export function owedByLoan(books: Books): ReadonlyMap<string, Cents> {
  const { mismatches, refunds } = books;
  const receipts = receiptsOf(books);
  const owed = new Map(
    receipts.map((receipt) => [
      receipt.contractId,
      receipt.cents - coveredBy(mismatches.filter(isExplained), receipt),
    ]),
  );
  let left = sum(refunds);
  const take = (contractId: string, most: Cents) => {
    const before = owed.get(contractId) ?? 0;
    const taken = Math.min(left, most, before);
    left -= taken;
    owed.set(contractId, before - taken);
  };
  for (const which of [isGivenBack, isNotAccepted])
    for (const receipt of receipts)
      take(receipt.contractId, coveredBy(mismatches.filter(which), receipt));
  for (const { contractId, cents } of receipts) take(contractId, cents);
  return owed;
}

/** What must be given back for an order if it is cancelled, in cents. */
export function owedOnceCancelled(books: Books): Cents {
  return ledgerOf({ ...books, order: { ...books.order, status: "Cancelled" } }).owed;
}

function entriesOf(receipts: readonly Receipt[], refunds: readonly Refund[]): LedgerEntry[] {
  return [
    ...receipts.map((receipt) => ({ kind: "received" as const, ...receipt })),
    ...refunds.map((refund) => ({ kind: "given-back" as const, ...refund })),
  ].sort((one, other) => one.at - other.at);
}

function sum(amounts: readonly { readonly cents: Cents }[]): Cents {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}

/**
 * What must still be given back before an open mismatch of these books counts as given back, in
 * cents; 0 if nothing, and `undefined` if its amount is not known. Refunds belong to the order and
 * not to one mismatch, so they must cover this mismatch and those that were resolved as given back
 * before.
 *
 * Example: of two loans of $10.00 that do not pay their order, $10.00 were given back. Then nothing
 * more is needed for either of them, and $10.00 for the second once the first is resolved as given
 * back.
 */
export function stillOwedFor(
  { contractId, kind }: Pick<BookedMismatch, "contractId" | "kind">,
  books: Books,
): Cents | undefined {
  const mismatch = books.mismatches.find(
    (one) => one.contractId === contractId && one.kind === kind,
  );
  if (mismatch?.cents === undefined) return undefined;
  const { givenBack, refundable } = ledgerOf(books);
  const covered = [...books.mismatches.filter(isGivenBack), mismatch];
  const needed = receiptsOf(books).reduce(
    (total, receipt) => total + coveredBy(covered, receipt),
    0,
  );
  // Part of the money may have been explained, or may turn out to be none: nothing more can be
  // given back then.
  return Math.min(Math.max(0, needed - givenBack), refundable);
}
