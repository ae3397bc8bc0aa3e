import { type Cents, formatMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

/** The amount to refund to a shopper. */
export interface Owed {
  readonly cents: Cents;
  /** The number of loans that brought money. */
  readonly loans: number;
  /**
   * `false` if the amount of a loan is unknown; then the order's total is counted, which is the
   * least that it lent.
   */
  readonly exact: boolean;
}

/**
 * The amount owed if an order is cancelled: all its money that was neither explained nor given
 * back.
 */
export function owedWhenCancelled(order: MerchantOrder): Owed {
  const { received, explained, given_back } = order.ledger;
  return { ...owedNow(order), cents: Math.max(0, received - explained - given_back) };
}

/** The amount owed now. */
export function owedNow({ ledger, contracts }: MerchantOrder): Owed {
  return {
    cents: ledger.owed,
    loans: ledger.entries.filter(({ kind }) => kind === "received").length,
    exact: contracts.every(({ meaning, amount }) => meaning !== "paid" || amount !== null),
  };
}

/** Formats an amount: `$90.00`, or `at least $90.00`. */
export function formatOwed({ cents, exact }: Owed): string {
  return exact ? formatMoney(cents) : `at least ${formatMoney(cents)}`;
}
