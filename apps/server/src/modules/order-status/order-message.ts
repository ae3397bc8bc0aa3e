import { blankAddress, type Cents, customerFields, forEachField } from "@keepsats/domain";
import { orderPeopleSchema, orderWithoutPeopleSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Order } from "../orders/index.ts";

/**
 * One version of an order, serialized once for all of its subscribers. Every subscriber may see
 * `order`; `people` is the customer data. Both are strings: buffers of this size would be slices of
 * a pool, which stays in memory as long as one of its orders has subscribers.
 */
export interface SerializedOrder {
  readonly version: number;
  readonly order: string;
  readonly people: string;
}

/**
 * What a subscriber may see: everything, with the order's key (`with-key`) or with a loan that has
 * paid the order (`paid`), or no customer data (`withheld`).
 */
export type View = "with-key" | "paid" | "withheld";

const withheldPeople = JSON.stringify({
  ...forEachField(customerFields, () => ""),
  shipping_address: blankAddress(),
  billing_address: blankAddress(),
  withheld: true,
});

/** @param refunded the refunded amount of a cancelled order; `undefined` for nothing */
export function serializeOrder(order: Order, refunded?: Cents): SerializedOrder {
  return {
    version: order.version,
    order: JSON.stringify(z.encode(orderWithoutPeopleSchema, { ...order, refunded })),
    people: JSON.stringify(z.encode(orderPeopleSchema, order)),
  };
}

/** Each message is created at its first use. */
export function messagesOf({ order, people }: SerializedOrder): (view: View) => Buffer {
  const made = new Map<View, Buffer>();
  return (view) => {
    const known = made.get(view);
    if (known !== undefined) return known;
    const message = newMessage(
      order,
      view === "withheld" ? withheldPeople : people,
      view === "with-key",
    );
    made.set(view, message);
    return message;
  };
}

/** Merges two JSON objects into the data of one message. */
function newMessage(order: string, people: string, hasKey: boolean): Buffer {
  return Buffer.from(
    `{"type":"order","data":${order.slice(0, -1)},"has_key":${hasKey},${people.slice(1)}}`,
  );
}
