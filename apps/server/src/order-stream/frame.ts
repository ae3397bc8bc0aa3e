import { blankAddress, customerFields, forEachField } from "@keepsats/domain";
import { orderPeopleSchema, orderWithoutPeopleSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Order } from "../orders/index.ts";

/**
 * One version of an order, serialised once for all of its followers. `order` is what each of them may see, `people` says
 * who has ordered. Both are strings: buffers of this size would be slices of a pool, which stays in memory for as long as
 * one order in it is followed.
 */
export interface OrderFrame {
  readonly version: number;
  readonly order: string;
  readonly people: string;
}

/** Replaces the people in the message to a follower who may not see them. */
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

/** Returns the message of a frame with the people (`whole`) or without them. Each message is made at its first use. */
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
