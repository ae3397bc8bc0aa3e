import { customerFields, returnStates } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds } from "./codecs.ts";
import {
  orderIdSchema,
  orderLineSchema,
  orderNumberSchema,
  piecesSchema,
  statusTextSchema,
  storedAddressSchema,
  storedCustomer,
} from "./orders.ts";

/** The query parameters of the order stream. `heartbeat=1` requests heartbeats. */
export const streamParameters = {
  orderId: "order_id",
  contractId: "contract_id",
  key: "key",
  heartbeat: "heartbeat",
} as const;
export const heartbeatWanted = "1";
/**
 * The interval of a socket's heartbeats, in milliseconds. A page that misses two of them considers
 * its connection lost.
 */
export const HEARTBEAT_INTERVAL = 15_000;
/** The maximum length of each of the two ids. */
export const MAX_STREAM_ID_LENGTH = 200;

export const streamErrorKinds = ["OrderNotFound", "ContractNotFound", "ConnectionError"] as const;
export type StreamErrorKind = (typeof streamErrorKinds)[number];

const text = z.optional(z.nullable(z.string()));
/** The personal data of an order. */
const personalData = {
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  /** Pages accept a message without it; the server always sends it. */
  billing_address: z.optional(storedAddressSchema),
  /** Set once the order has shipped. */
  carrier: text,
  tracking_number: text,
  tracking_url: text,
  /** The message to the customer about a cancellation. */
  merchant_message: text,
  /** When the shop erased all of these; `null` while they are stored. */
  erased_at: z.optional(z.nullable(secondsAsMilliseconds)),
};

/** A return as its customer sees it. */
const customerReturnSchema = z.object({
  id: z.string(),
  state: openEnum(returnStates),
  lines: z.array(piecesSchema),
  /** The shop's text about the state; `null` without one. */
  message: z.nullable(z.string()),
  opened_at: secondsAsMilliseconds,
  changed_at: secondsAsMilliseconds,
});

/** The return that a customer can request, with all pieces that it can have. */
const returnOfferSchema = z.object({ until: secondsAsMilliseconds, lines: z.array(piecesSchema) });
export type ReturnOffer = z.output<typeof returnOfferSchema>;

const order = {
  id: z.optional(orderIdSchema),
  number: orderNumberSchema,
  status: z.optional(z.nullable(statusTextSchema)),
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  payment_attempt_failed: z.optional(z.boolean()),
  /** The refunded amount, of a paid order only with its key; absent if nothing was refunded. */
  refunded: z.optional(amountAsCents),
  withheld: z.optional(z.boolean()),
  has_key: z.optional(z.boolean()),
  /** Its returns, oldest first; only with its key, and absent if there are none. */
  returns: z.optional(z.array(customerReturnSchema)),
  /** Only with its key, and absent if no return can be requested. */
  return_offer: z.optional(returnOfferSchema),
};
/** The part of an order that every subscriber may see. */
export const publicOrderSchema = z.object(order);

/**
 * An order as it is sent to subscribers. `payment_attempt_failed`: the last payment attempt has
 * failed, and the order can be paid again. `withheld`: the personal data is empty, because the
 * subscriber has presented neither the order's key nor a loan that has paid it. `has_key`: whether
 * the subscriber has presented the order's key.
 */
export const subscribedOrderSchema = z.object({ ...order, ...personalData }).check(
  // Pages parse `id`, `number`, `status` and `billing_address` leniently, but the server always sends
  // them, so the API document requires them.
  z.meta({
    required: [
      "id",
      "number",
      "status",
      "items",
      "total_price",
      "created_at",
      ...customerFields,
      "shipping_address",
      "billing_address",
    ],
  }),
);
export type SubscribedOrder = z.output<typeof subscribedOrderSchema>;
/** The wire format of a {@link SubscribedOrder}. */
export type WireSubscribedOrder = z.input<typeof subscribedOrderSchema>;

/**
 * The messages of the order stream. It is not a discriminated union, whose code the shop page would
 * have to load.
 */
export const streamMessageSchema = z.union([
  z.object({ type: z.literal("order"), data: subscribedOrderSchema }),
  z.object({
    type: z.literal("error"),
    data: z.object({ kind: openEnum(streamErrorKinds) }),
  }),
  z.object({ type: z.literal("heartbeat") }),
]);
