import { type Cents, formatMoney } from "@keepsats/domain";
import { type MerchantOrder, merchantOrderSchema, paths, withId } from "@keepsats/protocol";
import type { Client } from "./client.ts";

/** The id of an order without the `#` with which the screens show it. */
export function orderIdOf(typed: string): string {
  return typed.replace(/^#/, "");
}

/** Reads an order by its id or the beginning of it. */
export function readOrder(client: Client, typed: string): Promise<MerchantOrder> {
  const path = withId(paths.merchant.order, orderIdOf(typed));
  return client.call({ path, answer: merchantOrderSchema });
}

/** A refund due, and how exactly it is known. */
export interface RefundDue {
  readonly cents: Cents;
  /** The number of loans that brought money. */
  readonly loans: number;
  /**
   * `false` if the amount of a loan is unknown; then the order's total is counted, which is the
   * least that it lent.
   */
  readonly exact: boolean;
}

/** The refund due if an order is cancelled: its money that staff neither keep nor have refunded. */
export function refundDueWhenCancelled(order: MerchantOrder): RefundDue {
  const { received, kept_by_staff, refunded } = order.ledger;
  return { ...refundDueNow(order), cents: Math.max(0, received - kept_by_staff - refunded) };
}

export function refundDueNow({ ledger, loans }: MerchantOrder): RefundDue {
  return {
    cents: ledger.refund_due,
    loans: ledger.entries.filter(({ kind }) => kind === "received").length,
    exact: loans.every(({ state, amount }) => state !== "paid-out" || amount !== null),
  };
}

/** `$90.00`, or `at least $90.00`. */
export function formatRefundDue({ cents, exact }: RefundDue): string {
  return exact ? formatMoney(cents) : `at least ${formatMoney(cents)}`;
}
