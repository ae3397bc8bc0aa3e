import * as z from "zod/mini";
import { amountAsCents, secondsAsMilliseconds } from "./codecs.ts";
import { signedAmountAsCents } from "./merchant-money.ts";
import { statusTextSchema } from "./orders.ts";

/** A length of time: whole seconds on the wire, milliseconds once decoded. */
const durationAsMilliseconds = z.codec(
  z.int().check(z.meta({ description: "Seconds" })),
  z.number(),
  {
    decode: (seconds) => seconds * 1_000,
    encode: (milliseconds) => Math.floor(milliseconds / 1_000),
  },
);

const count = z.int().check(z.minimum(0));

/**
 * The orders that were placed on one day, those of them that are paid, and the money of that day.
 * Once decoded, amounts are cents.
 */
const daySchema = z.object({
  /** In UTC, such as `2026-11-23`. */
  day: z.string(),
  placed: count,
  /** How many of them are paid: PaymentProcessed, Shipped or Delivered. */
  paid: count,
  /**
   * What was received on this day, whenever its orders were placed, less what was refunded on this
   * day. A payout counts on its own day, and an extension brings nothing.
   */
  paid_amount: signedAmountAsCents,
});

/**
 * How many orders were paid within a time after they were placed, and not within the time of the
 * bucket before.
 */
const waitSchema = z.object({
  /** `null`: later than all others. */
  within: z.nullable(durationAsMilliseconds),
  orders: count,
});

export const providerStates = ["not asked yet", "ok", "away"] as const;

/**
 * What the shop's staff has to do, and how the shop is. Once decoded, amounts are cents and times
 * are in milliseconds. Figures of orders and loans are a few seconds old at most.
 */
export const todaySchema = z.object({
  /** Paid orders that are not shipped. */
  to_ship: count,
  /** Open payment issues, refunds due included. */
  payment_issues: count,
  refunds_due: z.object({
    /** Orders with a refund due in any currency, and loans without an order whose money is due. */
    orders: count,
    /** What must be refunded in US dollars. */
    amount: amountAsCents,
  }),
  /** Letters and webhook messages that were given up; to staff only the letters. */
  deliveries_given_up: count,
  /** Items on sale of which a few pieces are left. */
  low_stock: count,
  /** Items on sale of which no piece is left. */
  sold_out: count,
  /**
   * All statuses, in the order of an order's life, and after them those that this version does not
   * know.
   */
  orders_by_status: z.array(z.object({ status: statusTextSchema, orders: count })),
  /** The last 30 days, today included, oldest first. */
  days: z.array(daySchema),
  /** Of the orders of these days, shortest first. One that was paid and cancelled counts too. */
  order_to_payment: z.array(waitSchema),
  /** The loans that were bound to orders on these days, by state. */
  loans: z.object({ active: count, paid_out: count, ended: count, unknown: count }),
  provider: z.object({
    /** Whether the loan provider's last answer was usable. */
    state: z.enum(providerStates),
    /** When the last complete sweep ended; `null` before the first. */
    last_complete_sweep_at: z.nullable(secondsAsMilliseconds),
  }),
  mail: z.object({
    configured: z.boolean(),
    /** `away`: the mail server is unavailable, or temporarily refuses every email. */
    state: z.enum(["ok", "away"]),
    waiting: count,
    given_up: count,
  }),
});
export type Today = z.output<typeof todaySchema>;
