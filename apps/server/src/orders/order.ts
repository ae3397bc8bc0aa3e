import {
  type Address,
  addressFields,
  dollarsFromCents,
  forEachField,
  isOrderStatus,
  type OrderStatus,
} from "@keepsats/domain";
import { epochSeconds } from "../clock.ts";

/** A line of an order: name and unit price (cents) as they were when it was placed. */
export interface OrderLine {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
}

/** An order as it stands in the database; `total` in cents, `createdAt` in epoch milliseconds. */
export interface Order {
  readonly id: string;
  readonly status: OrderStatus;
  /** Rises by 1 with everything that a follower of the order could see. */
  readonly version: number;
  /** The last loan for this order came to nothing, and no other is under way. */
  readonly attemptOver: boolean;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly shippingAddress: Address;
  readonly billingAddress: Address;
  readonly total: number;
  readonly createdAt: number;
  readonly lines: readonly OrderLine[];
}

/** The lines of an order as they go on the wire, in dollars. */
function wireLines(lines: readonly OrderLine[]) {
  return lines.map((line) => ({ ...line, price: dollarsFromCents(line.price) }));
}

/** What every message about an order has in common on the wire: dollars, and epoch seconds. */
export function wireOrder(order: Pick<Order, "id" | "status" | "lines" | "total" | "createdAt">) {
  return {
    id: order.id,
    status: order.status,
    items: wireLines(order.lines),
    total_price: dollarsFromCents(order.total),
    created_at: epochSeconds(order.createdAt),
  };
}

/**
 * Reads a status from its column.
 *
 * @throws when this version of the shop does not know the status, as when a newer version has stored it
 */
export function parseStatus(text: string): OrderStatus {
  if (isOrderStatus(text)) return text;
  throw new Error(`the database has an order with the status "${text}", which this version does not know`);
}

/** Reads an address from its column. */
export function parseAddress(json: string): Address {
  const value: unknown = JSON.parse(json);
  const field = (name: string) => {
    const text = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    if (typeof text !== "string") throw new Error(`an address in the database has no ${name}`);
    return text;
  };
  return forEachField(addressFields, field);
}
