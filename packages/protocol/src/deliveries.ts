import { fieldText, isMailAddress, MAX_EMAIL_LENGTH } from "@keepsats/domain";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";

/** A request for a test email. */
export const testEmailRequestSchema = z.strictObject({
  to: z
    .string()
    .check(
      z.overwrite(fieldText),
      z.maxLength(MAX_EMAIL_LENGTH),
      z.refine(isMailAddress, { error: "must be an email address" }),
      z.meta({ format: "idn-email" }),
    ),
});

/** The result of a test email: the mail server's response, or why there was none. */
export const testEmailAnswerSchema = z.object({ accepted: z.boolean(), answer: z.string() });

/** The number of emails made due for a retry. */
export const retriedEmailsSchema = z.object({ retried: z.int() });

export const deliveryStates = ["waiting", "delivered", "skipped", "given-up"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * One delivery: an event that is told to one target, such as a webhook. Once decoded, times are in
 * milliseconds.
 */
export const deliverySchema = z.object({
  id: z.string(),
  /** How it is told: `mail-shopper`, `mail-merchant` or `webhook`. */
  channel: z.string(),
  /** Who is told; of a webhook its id. */
  target: z.string(),
  /** What happened, such as `order.shipped`. */
  type: z.string(),
  /** The id of the order or item that it is about. */
  subject: z.string(),
  /**
   * `waiting`: for its first attempt, or to be repeated. `skipped`: there was nothing to tell any
   * more. `given-up`: no attempt succeeded.
   */
  state: z.string().check(z.meta({ enum: deliveryStates })),
  /** The attempts that were begun since it was stored or last repeated. */
  attempts: z.int(),
  /** What the last attempt resulted in; `null` before the first one. */
  answer: z.nullable(z.string()),
  created_at: secondsAsMilliseconds,
  /** When the next attempt is made; `null` if none will be. */
  next_at: z.nullable(secondsAsMilliseconds),
  /** When it was delivered, skipped or given up. */
  ended_at: z.nullable(secondsAsMilliseconds),
});
export type DeliveryAnswer = z.output<typeof deliverySchema>;

/** A page of deliveries, newest first. */
export const deliveriesSchema = z.object({
  deliveries: z.array(deliverySchema),
  next_cursor: z.nullable(z.string()),
});
export type Deliveries = z.output<typeof deliveriesSchema>;
