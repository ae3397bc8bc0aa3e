import * as z from "zod/mini";
import { openEnum, secondsAsMilliseconds } from "./codecs.ts";
import { emailAddress } from "./texts.ts";

export const testEmailRequestSchema = z.strictObject({ to: emailAddress() });

/** The result of a test email. `answer`: what the mail server said, or why there was none. */
export const testEmailAnswerSchema = z.object({ accepted: z.boolean(), answer: z.string() });

/** The number of emails made due for a retry. */
export const retriedEmailsSchema = z.object({ retried: z.int() });

/** The channels that deliver domain events. */
export const deliveryChannels = ["email-customer", "email-merchant", "webhook"] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const deliveryStates = ["waiting", "delivered", "skipped", "failed"] as const;

/** The delivery of a domain event to one target. */
export const deliverySchema = z.object({
  id: z.string(),
  channel: openEnum(deliveryChannels),
  /** The recipient, or the id of the webhook. */
  target: z.string(),
  /** The type of the event, such as `order.shipped`. */
  type: z.string(),
  /** The id of the order or item. */
  subject: z.string(),
  /**
   * `waiting`: for its first attempt or a retry. `skipped`: the event no longer applied. `failed`:
   * all attempts failed.
   */
  state: openEnum(deliveryStates),
  /** The attempts since it was stored or last retried by staff. */
  attempts: z.int(),
  /** The result of the last attempt; `null` before the first one. */
  answer: z.nullable(z.string()),
  created_at: secondsAsMilliseconds,
  /** The time of the next attempt; `null` if there will be none. */
  next_at: z.nullable(secondsAsMilliseconds),
  /** When it was delivered or skipped, or failed. */
  ended_at: z.nullable(secondsAsMilliseconds),
});
export type AdminDelivery = z.output<typeof deliverySchema>;

/** A page of deliveries, newest first. */
export const deliveriesSchema = z.object({
  deliveries: z.array(deliverySchema),
  next_cursor: z.nullable(z.string()),
});
export type Deliveries = z.output<typeof deliveriesSchema>;
