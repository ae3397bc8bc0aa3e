import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";
import { orderLineSchema, statusTextSchema } from "./orders.ts";
import { storedAddressSchema, storedCustomer } from "./stored-people.ts";
import { secondsAsMilliseconds } from "./time.ts";

/** What can keep a follower from its order. */
export const streamErrorKinds = ["OrderNotFound", "ContractNotFound", "ConnectionError"] as const;
export type StreamErrorKind = (typeof streamErrorKinds)[number];

const people = { ...storedCustomer, shipping_address: storedAddressSchema };
/** The part of a followed order that says who has ordered. */
export const orderPeopleSchema = z.object(people);

const order = {
  id: z.optional(z.string()),
  status: z.optional(z.nullable(statusTextSchema)),
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  payment_attempt_over: z.optional(z.boolean()),
  withheld: z.optional(z.boolean()),
};
/** The part of a followed order that every follower may see. */
export const orderWithoutPeopleSchema = z.object(order);

/**
 * An order as its follower sees it. Once decoded, amounts are cents and `created_at` is in milliseconds.
 * `payment_attempt_over` tells that the last loan came to nothing and another may be tried. `withheld` tells that the
 * fields of `orderPeopleSchema` are empty, because the follower has shown neither the order's key nor a loan that has
 * paid it.
 */
export const followedOrderSchema = z.object({ ...order, ...people });
export type FollowedOrder = z.output<typeof followedOrderSchema>;
/** A {@link FollowedOrder} as it stands on the wire. */
export type WireFollowedOrder = z.input<typeof followedOrderSchema>;

/** Every message the server sends on the order stream; heartbeats only to followers that ask for them. */
export const streamMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("order"), data: followedOrderSchema }),
  z.object({
    type: z.literal("error"),
    data: z.object({ kind: z.string().check(z.meta({ enum: streamErrorKinds })) }),
  }),
  z.object({ type: z.literal("heartbeat") }),
]);
export type StreamMessage = z.output<typeof streamMessageSchema>;
