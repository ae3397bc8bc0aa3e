import { blankAddress, customerFields, forEachField } from "@keepsats/domain";
import { orderPeopleSchema, orderWithoutPeopleSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Order } from "../orders/index.ts";

/**
 * One version of an order, serialised once for all of its followers. `order` is the part that every follower may see,
 * `people` the customer data. Both are strings: buffers of this size would be slices of a pool, which stays in memory
 * as long as one of its orders is followed.
 */
export interface OrderFrame {
  readonly version: number;
  readonly order: string;
  readonly people: string;
}

/** Replaces the customer data in the message to a follower who may not see it. */
const withheldPeople = JSON.stringify({
  ...forEachField(customerFields, () => ""),
  shipping_address: blankAddress(),
  withheld: true,
});

export function newFrame(order: Order): OrderFrame {
  return {
    version: order.version,
    order: JSON.stringify(z.encode(orderWithoutPeopleSchema, order)),
    people: JSON.stringify(z.encode(orderPeopleSchema, order)),
  };
}

/**
 * Returns the message of a frame, with customer data if `whole`. Each of the two messages is created at its first use.
 */
export function messagesOf({ order, people }: OrderFrame): (whole: boolean) => Buffer {
  let wholeMessage: Buffer | undefined;
  let withheldMessage: Buffer | undefined;
  return (whole) => {
    if (whole) {
      wholeMessage ??= message(order, people);
      return wholeMessage;
    }
    withheldMessage ??= message(order, withheldPeople);
    return withheldMessage;
  };
}

/** Merges two JSON objects into the data of one message. */
function message(order: string, people: string): Buffer {
  return Buffer.from(`{"type":"order","data":${order.slice(0, -1)},${people.slice(1)}}`);
}
