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

/** The amount owed if an order is cancelled: all its money that was neither explained nor refunded. */
export function owedWhenCancelled(order: MerchantOrder): Owed {
  const { received, explained, given_back } = order.ledger;
  return { ...owedNow(order), cents: Math.max(0, received - explained - given_back) };
}

export function owedNow({ ledger, contracts }: MerchantOrder): Owed {
  return {
    cents: ledger.owed,
    loans: ledger.entries.filter(({ kind }) => kind === "received").length,
    exact: contracts.every(({ meaning, amount }) => meaning !== "paid" || amount !== null),
  };
}

/** `$90.00`, or `at least $90.00`. */
export function formatOwed({ cents, exact }: Owed): string {
  return exact ? formatMoney(cents) : `at least ${formatMoney(cents)}`;
}
