import {
  addressFields,
  type Balance,
  type Balances,
  balancesOf,
  type Cents,
  formatMoney,
  type JournalEntry,
  priceOfPlaced,
} from "@keepsats/domain";
import type { Queries } from "../../platform/database/database.ts";
import type { Order } from "../orders/index.ts";
import { openLoansOf, readOrderAccount } from "../payments/index.ts";
import { type Block, text, withoutLinks } from "./email.ts";

export function itemsBlock({ items, total_price: total }: Order): Block {
  return { kind: "items", items, shipping: priceOfPlaced(items, total).shipping, total };
}

/** Says that less than the total, or another currency, was accepted as full payment. */
export function acceptanceBlocks({ balances }: OrderMoney): Block[] {
  const { waivedOnAcceptance: waived } = balances.shop;
  if (waived === 0) return [];
  const accepted = sumsIn(balances, ({ kept }) => kept) ?? "The payment";
  return [text(`${accepted} was accepted as full payment; ${formatMoney(waived)} was waived.`)];
}

/** Name and shipping address, one line each; {@link withoutLinks}, because a customer typed them. */
export function shippingAddress({ customer_name, shipping_address }: Order): string {
  return withoutLinks(
    [customer_name, ...addressFields.map((field) => shipping_address[field])].join("\n"),
  );
}

/** The money of an order, from its journal when an email is sent. */
export interface OrderMoney {
  readonly balances: Balances;
  /** Whether money was ever received, even if it was refunded or reversed since. */
  readonly hasReceived: boolean;
  /** Whether a loan may still be paid out. */
  readonly hasOpenLoans: boolean;
  /** The ids of the reversed refunds. */
  readonly reversedRefunds: ReadonlySet<string>;
}

interface Account {
  readonly order: { readonly status: string; readonly total: Cents };
  readonly entries: readonly (JournalEntry & { readonly refundId?: string | undefined })[];
}

export function orderMoneyOf(account: Account, hasOpenLoans = false): OrderMoney {
  const reversed = account.entries.filter(({ kind }) => kind === "refund-reversed");
  return {
    balances: balancesOf(account),
    hasReceived: account.entries.some(({ kind }) => kind === "received" || kind === "transferred"),
    hasOpenLoans,
    reversedRefunds: new Set(reversed.flatMap(({ refundId }) => refundId ?? [])),
  };
}

/** @returns `undefined` if the order does not exist */
export async function readOrderMoney(
  db: Queries,
  orderId: string,
): Promise<OrderMoney | undefined> {
  const account = await readOrderAccount(db, orderId);
  return account && orderMoneyOf(account, openLoansOf(account).length > 0);
}

/** Sums by currency, such as `$12.00 and 30.00 EUR`; `undefined` if all are 0. */
export function sumsIn(
  { shop, others }: Balances,
  sumOf: (balance: Balance) => Cents,
): string | undefined {
  const sums = [shop, ...others].flatMap((balance) => {
    const sum = sumOf(balance);
    return sum > 0 ? formatMoney(sum, balance.currency) : [];
  });
  return sums.length === 0 ? undefined : sums.join(" and ");
}
