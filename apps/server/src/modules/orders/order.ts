import {
  blankAddress,
  type Cents,
  type CheckoutForm,
  FIRST_STATUS,
  type OrderStatus,
} from "@keepsats/domain";
import { type OrderLine, storedAddressSchema } from "@keepsats/protocol";
import type { Insertable, Selectable } from "kysely";
import * as z from "zod/mini";
import type { Tables } from "../../platform/database/tables.ts";
import { wordsColumn } from "./lists/search-words.ts";

/**
 * A status as stored: an {@link OrderStatus}, or a text that a newer version of the server has
 * stored. The rules in `order-status.ts` of the domain say what such a text counts as.
 */
export type StoredStatus = string;

/**
 * The fields of the checkout form, and the current state. They have the names of the protocol,
 * whose schemas select and encode the fields of each message. {@link orderOf} and {@link rowOf}
 * convert from and to database rows.
 */
export interface Order extends CheckoutForm {
  readonly id: string;
  /** Such as `K-10023`; unique and increasing. */
  readonly number: string;
  readonly status: StoredStatus;
  /** Increases by 1 with every change that subscribers can see. */
  readonly version: number;
  /** Whether the last loan for this order has ended without a payment and no other is active. */
  readonly payment_attempt_failed: boolean;
  /** The lines, with the name and unit price of each item when the order was placed. */
  readonly items: OrderLine[];
  readonly total_price: Cents;
  /** In epoch milliseconds. */
  readonly created_at: number;
  readonly carrier: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  /** The message to the customer about a cancellation. */
  readonly merchant_message: string | null;
  /** When the personal data was erased, in epoch milliseconds; `null` if it was not. */
  readonly erased_at: number | null;
  /**
   * A hash of the network that placed the order, for rate-limiting emails; `null` if unknown or
   * erased.
   */
  readonly client_hash: string | null;
}

/**
 * An order before it is stored: the database gives it its number. The server stores only statuses
 * that it knows.
 */
export type NewOrder = Omit<Order, "number"> & { readonly status: OrderStatus };

type PlacedFields = "id" | "items" | "total_price" | "created_at" | "client_hash";

export function newOrder(placed: CheckoutForm & Pick<NewOrder, PlacedFields>): NewOrder {
  return {
    ...placed,
    status: FIRST_STATUS,
    version: 1,
    payment_attempt_failed: false,
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    merchant_message: null,
    erased_at: null,
  };
}

/** An address is read leniently: fields that were added since it was stored are empty. */
export const addressColumn = z.codec(z.string(), storedAddressSchema, {
  decode: (json) => ({ ...blankAddress(), ...JSON.parse(json) }),
  encode: (address) => JSON.stringify(address),
});

/** The inverse of {@link rowOf} and {@link lineRowsOf}. */
export function orderOf(
  row: Selectable<Tables["orders"]> & Pick<Order, "number">,
  lines: readonly Omit<Selectable<Tables["order_lines"]>, "position" | "taken">[],
): Order {
  const { attempt_failed, total, shipping_address, billing_address, ...others } = row;
  // Only lists and figures read these.
  const { position, updated_at, paid_at, words, ...rest } = others;
  return {
    ...rest,
    payment_attempt_failed: attempt_failed === 1,
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

export function rowOf(order: NewOrder) {
  const {
    payment_attempt_failed,
    items: _,
    total_price,
    shipping_address,
    billing_address,
    ...rest
  } = order;
  return {
    ...rest,
    attempt_failed: payment_attempt_failed ? 1 : 0,
    shipping_address: z.encode(addressColumn, shipping_address),
    billing_address: z.encode(addressColumn, billing_address),
    total: total_price,
    updated_at: order.created_at,
    words: wordsColumn(order),
  };
}

/** @param counted the items whose stock the lines take their pieces from */
export function lineRowsOf(
  { id: order_id, items }: Pick<Order, "id" | "items">,
  counted: ReadonlySet<string>,
): Insertable<Tables["order_lines"]>[] {
  return items.map(({ id: item_id, ...line }, position) => {
    const taken = counted.has(item_id) ? line.quantity : 0;
    return { order_id, position, item_id, ...line, taken };
  });
}
