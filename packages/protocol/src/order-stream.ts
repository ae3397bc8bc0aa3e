import { customerFields } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { orderIdSchema, orderLineSchema, statusTextSchema } from "./orders.ts";
import { storedAddressSchema, storedCustomer } from "./stored-people.ts";

/**
 * The query parameters of the order stream. `key` is the order's key, where the follower has it;
 * `heartbeat=1` asks for heartbeats.
 */
export const streamParameters = {
  orderId: "order_id",
  contractId: "contract_id",
  key: "key",
  heartbeat: "heartbeat",
} as const;
/** The value of the parameter `heartbeat` with which a follower asks for heartbeats. */
export const heartbeatWanted = "1";
/**
 * Between two heartbeats of a socket, in milliseconds. A page that misses two of them counts its
 * connection as lost.
 */
export const HEARTBEAT_INTERVAL = 15_000;
/** The most characters that each of the two ids may have. */
export const MAX_STREAM_ID_LENGTH = 200;

/** Why a follower cannot be sent its order. */
export const streamErrorKinds = ["OrderNotFound", "ContractNotFound", "ConnectionError"] as const;
export type StreamErrorKind = (typeof streamErrorKinds)[number];

const text = z.optional(z.nullable(z.string()));
const people = {
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  /** The specified message has none; the server always sends it. */
  billing_address: z.optional(storedAddressSchema),
  /** How the order travels, once it has shipped. */
  carrier: text,
  tracking_number: text,
  tracking_url: text,
  /** What the merchant tells the shopper about a cancellation. */
  merchant_message: text,
  /** When the shop erased all of these; `null` while they are there. */
  erased_at: z.optional(z.nullable(secondsAsMilliseconds)),
};
/** The customer data of a followed order. */
export const orderPeopleSchema = z.object(people);

const order = {
  id: z.optional(orderIdSchema),
  status: z.optional(z.nullable(statusTextSchema)),
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  payment_attempt_over: z.optional(z.boolean()),
  /** The refunded amount of a cancelled order; absent if nothing was refunded. */
  refunded: z.optional(amountAsCents),
  withheld: z.optional(z.boolean()),
  has_key: z.optional(z.boolean()),
};
/** The part of a followed order that every follower may see. */
export const orderWithoutPeopleSchema = z.object(order);

/**
 * An order as it is sent to followers. Once decoded, amounts are cents and `created_at` is in
 * milliseconds. `payment_attempt_over`: the last loan has ended unpaid, and another may be tried.
 * `withheld`: the fields of `orderPeopleSchema` are empty, because the follower has presented
 * neither the order's key nor a loan that has paid it. `has_key`: whether the follower has
 * presented the order's key.
 */
export const followedOrderSchema = z.object({ ...order, ...people }).check(
  // Pages parse `id`, `status` and `billing_address` leniently, but the server always sends them,
  // so the API document requires them.
  z.meta({
    required: [
      "id",
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
export type FollowedOrder = z.output<typeof followedOrderSchema>;
/** The wire format of a {@link FollowedOrder}. */
export type WireFollowedOrder = z.input<typeof followedOrderSchema>;

/**
 * Every message the server sends on the order stream; heartbeats only to followers that ask for
 * them.
 */
// Not a discriminated union, whose code the shop page would have to load.
export const streamMessageSchema = z.union([
  z.object({ type: z.literal("order"), data: followedOrderSchema }),
  z.object({
    type: z.literal("error"),
    data: z.object({ kind: z.string().check(z.meta({ enum: streamErrorKinds })) }),
  }),
  z.object({ type: z.literal("heartbeat") }),
]);
