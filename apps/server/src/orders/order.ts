import { type Cents, type CheckoutForm, isOrderStatus, type OrderStatus } from "@keepsats/domain";
import { type OrderLine, storedAddressSchema } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import * as z from "zod/mini";
import type { Tables } from "../db/tables.ts";

/**
 * An order as the shop knows it: what the checkout form said, and what became of it. Its fields have the names of the
 * protocol, so that the protocol's schemas take from it what each message says and encode it; {@link orderOf} and
 * {@link rowOf} are the way from and to the database.
 */
export interface Order extends CheckoutForm {
  readonly id: string;
  readonly status: OrderStatus;
  /** Rises by 1 with everything that a follower of the order could see. */
  readonly version: number;
  /** The last loan for this order came to nothing, and no other is under way. */
  readonly payment_attempt_over: boolean;
  /** Name and unit price of each item as they were when the order was placed. */
  readonly items: OrderLine[];
  readonly total_price: Cents;
  /** In epoch milliseconds. */
  readonly created_at: number;
}

/** An address in its column, as JSON. */
const addressColumn = z.codec(z.string(), storedAddressSchema, {
  decode: (json) => JSON.parse(json),
  encode: (address) => JSON.stringify(address),
});

/**
 * Reads a status from its column.
 *
 * @throws when this version of the shop does not know the status, as when a newer version has stored it
 */
export function parseStatus(text: string): OrderStatus {
  if (isOrderStatus(text)) return text;
  throw new Error(`the database has an order with the status "${text}", which this version does not know`);
}

type OrderRow = Selectable<Tables["orders"]>;
type LineRow = Selectable<Tables["order_lines"]>;

/** Reads an order from its row and those of its lines; see {@link rowOf} for the other way. */
export function orderOf(row: OrderRow, lines: readonly Omit<LineRow, "position">[]): Order {
  const { status, attempt_over, total, shipping_address, billing_address, ...rest } = row;
  return {
    ...rest,
    status: parseStatus(status),
    payment_attempt_over: attempt_over === 1,
    shipping_address: z.decode(addressColumn, shipping_address),
    billing_address: z.decode(addressColumn, billing_address),
    total_price: total,
    items: lines.map(({ item_id, name, price, quantity }) => ({ id: item_id, name, price, quantity })),
  };
}

/** The row of an order. */
export function rowOf(order: Order): Insertable<Tables["orders"]> {
  const { payment_attempt_over, items: _, total_price, shipping_address, billing_address, ...rest } = order;
  return {
    ...rest,
    attempt_over: payment_attempt_over ? 1 : 0,
    shipping_address: z.encode(addressColumn, shipping_address),
    billing_address: z.encode(addressColumn, billing_address),
    total: total_price,
  };
}

/** The rows of an order's lines. */
export function lineRowsOf({ id: order_id, items }: Order): Insertable<Tables["order_lines"]>[] {
  return items.map(({ id: item_id, ...line }, position) => ({ order_id, position, item_id, ...line }));
}
