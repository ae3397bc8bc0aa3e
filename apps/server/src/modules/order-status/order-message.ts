import { blankAddress, type Cents, customerFields, mapFields } from "@keepsats/domain";
import { publicOrderSchema, subscribedOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { CustomerReturns, Order } from "../orders/index.ts";

/** An order with the ids of the loans that have paid it, and with the refunded amount, if any. */
export interface OrderForSubscribers {
  readonly order: Order;
  readonly paidBy: readonly string[];
  readonly refunded?: Cents | undefined;
  readonly returns?: CustomerReturns | undefined;
}

/**
 * What a subscriber may see: everything, with the order's key (`with-key`) or with a loan that has
 * paid the order (`paid`), or no personal data (`withheld`).
 */
export type View = "with-key" | "paid" | "withheld";

const withheldData = {
  ...mapFields(customerFields, () => ""),
  shipping_address: blankAddress(),
  billing_address: blankAddress(),
  withheld: true,
};

export function messageOf({ order, refunded, returns }: OrderForSubscribers, view: View): Buffer {
  const hasKey = view === "with-key";
  const seen = {
    ...order,
    ...(hasKey ? returns : {}),
    refunded: hasKey || order.status === "Cancelled" ? refunded : undefined,
    has_key: hasKey,
  };
  const data =
    view === "withheld"
      ? { ...z.encode(publicOrderSchema, seen), ...withheldData }
      : z.encode(subscribedOrderSchema, seen);
  return Buffer.from(JSON.stringify({ type: "order", data }));
}
