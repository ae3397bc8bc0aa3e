import { blankAddress, type Cents, customerFields, mapFields } from "@keepsats/domain";
import { orderPersonalDataSchema, publicOrderSchema } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { CustomerReturns, Order } from "../orders/index.ts";

/**
 * One version of an order, serialized once for all of its subscribers. Every subscriber may see
 * `order`. All parts are strings: buffers of this size would be slices of a pool, which stays in
 * memory as long as one of its orders has subscribers.
 */
export interface SerializedOrder {
  readonly version: number;
  readonly order: string;
  readonly personalData: string;
  /** The part for subscribers with the order's key. */
  readonly keyHolderData: string;
}

/**
 * What a subscriber may see: everything, with the order's key (`with-key`) or with a loan that has
 * paid the order (`paid`), or no personal data (`withheld`).
 */
export type View = "with-key" | "paid" | "withheld";

const withheldData = JSON.stringify({
  ...mapFields(customerFields, () => ""),
  shipping_address: blankAddress(),
  billing_address: blankAddress(),
  withheld: true,
});

const keyHolderSchema = z.pick(publicOrderSchema, {
  has_key: true,
  refunded: true,
  returns: true,
  return_offer: true,
});
const withoutKeyData = JSON.stringify({ has_key: false });

/** @param refunded the refunded amount; `undefined` for nothing */
export function serializeOrder(
  order: Order,
  refunded?: Cents,
  returns?: CustomerReturns,
): SerializedOrder {
  const isPublic = order.status === "Cancelled";
  const publicOrder = { ...order, refunded: isPublic ? refunded : undefined };
  const keyHolderData = {
    has_key: true,
    refunded: isPublic ? undefined : refunded,
    ...returns,
  };
  return {
    version: order.version,
    order: JSON.stringify(z.encode(publicOrderSchema, publicOrder)),
    personalData: JSON.stringify(z.encode(orderPersonalDataSchema, order)),
    keyHolderData: JSON.stringify(z.encode(keyHolderSchema, keyHolderData)),
  };
}

export function messageOf(
  { order, personalData, keyHolderData }: SerializedOrder,
  view: View,
): Buffer {
  return newMessage(
    order,
    view === "withheld" ? withheldData : personalData,
    view === "with-key" ? keyHolderData : withoutKeyData,
  );
}

/** Merges JSON objects into the data of one message. */
function newMessage(...parts: readonly string[]): Buffer {
  const fields = parts.map((part) => part.slice(1, -1));
  return Buffer.from(`{"type":"order","data":{${fields.join(",")}}}`);
}
