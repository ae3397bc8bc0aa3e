import type { Cents, CheckoutForm, OrderStatus } from "@keepsats/domain";
import { type OrderLine, storedAddressSchema } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import * as z from "zod/mini";
import type { Tables } from "../db/tables.ts";
import { wordsColumn } from "./search-words.ts";

/**
 * A status as the database has it: an {@link OrderStatus}, or another text that a newer version has
 * stored. Code that decides by a status checks it first with `isOrderStatus`.
 */
export type StoredStatus = string;

/**
 * An order: the fields of the checkout form, and its current state. The fields have the names of
 * the protocol, so that the protocol's schemas select and encode the fields of each message.
 * {@link orderOf} and {@link rowOf} convert from and to rows of the database.
 */
export interface Order extends CheckoutForm {
  readonly id: string;
  readonly status: StoredStatus;
  /** Increases by 1 with every change that followers can see. */
  readonly version: number;
  /** Whether the last loan for this order has ended unpaid and no other is under way. */
  readonly payment_attempt_over: boolean;
  /** The lines, with the name and unit price of each item when the order was placed. */
  readonly items: OrderLine[];
  readonly total_price: Cents;
  /** In epoch milliseconds. */
  readonly created_at: number;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  /** What the merchant tells the shopper about a cancellation. */
  readonly merchant_message: string | null;
  /** When the personal data was erased, in epoch milliseconds; `null` while it is there. */
  readonly erased_at: number | null;
  /**
   * A hash of the network that placed the order, for rate-limiting emails; `null` if unknown or
   * erased.
   */
  readonly client_hash: string | null;
}

/** An order that this version can store. It stores only statuses that it knows. */
export type StorableOrder = Order & { readonly status: OrderStatus };

/** The JSON of an address in its column. */
export const addressColumn = z.codec(z.string(), storedAddressSchema, {
  decode: (json) => JSON.parse(json),
  encode: (address) => JSON.stringify(address),
});

/** The columns that only lists and figures read. */
type ListColumn = "position" | "updated_at" | "paid_at" | "words";
type OrderRow = Omit<Selectable<Tables["orders"]>, ListColumn>;
type LineRow = Selectable<Tables["order_lines"]>;

/**
 * Decodes an order from its row and the rows of its lines; the inverse of {@link rowOf} and
 * {@link lineRowsOf}.
 */
export function orderOf(
  row: OrderRow & Partial<Pick<Selectable<Tables["orders"]>, ListColumn>>,
  lines: readonly Omit<LineRow, "position" | "taken">[],
): Order {
  const { attempt_over, total, shipping_address, billing_address, ...others } = row;
  const { position, updated_at, paid_at, words, ...rest } = others;
  return {
    ...rest,
    payment_attempt_over: attempt_over === 1,
    shipping_address: z.decode(addressColumn, shipping_address),
    billing_address: z.decode(addressColumn, billing_address),
    total_price: total,
    items: lines.map(({ item_id, name, price, quantity }) => ({
      id: item_id,
      name,
      price,
      quantity,
    })),
  };
}

/** The row of a new order. */
export function rowOf(order: StorableOrder) {
  const {
    payment_attempt_over,
    items: _,
    total_price,
    shipping_address,
    billing_address,
    ...rest
  } = order;
  return {
    ...rest,
    attempt_over: payment_attempt_over ? 1 : 0,
    shipping_address: z.encode(addressColumn, shipping_address),
    billing_address: z.encode(addressColumn, billing_address),
    total: total_price,
    updated_at: order.created_at,
    words: wordsColumn(order),
  };
}

/**
 * The rows of a new order's lines. @param counted the items whose stock the lines take their pieces
 * from
 */
export function lineRowsOf(
  { id: order_id, items }: Order,
  counted: ReadonlySet<string>,
): Insertable<Tables["order_lines"]>[] {
  return items.map(({ id: item_id, ...line }, position) => {
    const taken = counted.has(item_id) ? line.quantity : 0;
    return { order_id, position, item_id, ...line, taken };
  });
}
