import type { WireFollowedOrder } from "@keepsats/protocol";

/** An order as it was read for its followers, and the contracts that have paid it. */
export interface ReadOrder {
  readonly version: number;
  readonly wire: WireFollowedOrder;
  readonly paidBy: readonly string[];
}

/**
 * An order, serialised once for all who follow it: what any of them may see, and who ordered it. Both are kept as text:
 * bytes would be a slice of a larger buffer, which lives for as long as the last order in it is followed.
 */
export interface OrderFrame {
  readonly version: number;
  readonly order: string;
  readonly people: string;
}

type People = Pick<WireFollowedOrder, "customer_name" | "customer_email" | "shipping_address" | "withheld">;

/** Stands for the people in the message of a follower who may not see them. */
const withheldPeople = JSON.stringify({
  customer_name: "",
  customer_email: "",
  shipping_address: { street: "", city: "", state: "", postal_code: "", country: "" },
  withheld: true,
} satisfies People);

export function newFrame({ version, wire }: ReadOrder): OrderFrame {
  const { customer_name, customer_email, shipping_address, ...order } = wire;
  const people: People = { customer_name, customer_email, shipping_address };
  return { version, order: JSON.stringify(order), people: JSON.stringify(people) };
}

/** The messages of a frame: the whole order, or its people withheld. Each is made when it is first asked for. */
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

/** Puts the fields of two JSON objects into one. */
function message(order: string, people: string): Buffer {
  return Buffer.from(`{"type":"order","data":${order.slice(0, -1)},${people.slice(1)}}`);
}
