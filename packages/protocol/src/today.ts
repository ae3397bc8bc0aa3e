import * as z from "zod/mini";
import {
  amountAsCents,
  durationAsMilliseconds,
  secondsAsMilliseconds,
  signedAmountAsCents,
} from "./codecs.ts";
import { statusTextSchema } from "./orders.ts";

const count = z.int().check(z.minimum(0));

const daySchema = z.object({
  /** In the shop's time zone, such as `2026-11-23`. */
  day: z.string(),
  /** The orders that were placed on this day. */
  placed: count,
  /** How many of them are paid: PaymentProcessed, Shipped or Delivered. */
  paid: count,
  /**
   * The payouts of this day less its refunds, whenever the orders were placed. Extensions bring no
   * money.
   */
  paid_amount: signedAmountAsCents,
});

/** One bucket of the histogram of the time from an order to its payment. */
const orderToPaymentSchema = z.object({
  /** The upper bound of the bucket; `null` for the last one. */
  within: z.nullable(durationAsMilliseconds),
  orders: count,
});

export const providerStates = ["not asked yet", "ok", "away"] as const;

/** The lengths of the periods, in days including today. */
export const periodLengths = [1, 7, 30] as const;
export type PeriodLength = (typeof periodLengths)[number];

const periodSchema = z.object({
  days: z.literal(periodLengths),
  /** The orders that were placed. */
  orders: count,
  /** The orders of the period before, until the same time of the day. */
  orders_before: count,
  /** The money received less the money refunded. */
  revenue: signedAmountAsCents,
  revenue_before: signedAmountAsCents,
  /** The orders that were to ship when the period began. */
  to_ship_before: count,
});
export type PeriodFigures = z.output<typeof periodSchema>;

/** An item of which a few pieces or none are left. */
const lowItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The URL of its first picture. */
  picture: z.string(),
  stock: count,
});

/** The items of which the most pieces were sold in a period, at most 5. */
export const bestSellersSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** The URL of its first picture; `null` if the item was deleted. */
      picture: z.nullable(z.string()),
      pieces: count,
      /** Pieces times their prices in the orders. */
      revenue: amountAsCents,
    }),
  ),
});
export type BestSellers = z.output<typeof bestSellersSchema>;

/**
 * The figures of the admin's first page. Figures of orders and loans are a few seconds old at most.
 */
export const todaySchema = z.object({
  /** Paid orders that have not shipped. */
  to_ship: count,
  /** Open payment issues, including refunds due. */
  payment_issues: count,
  refunds_due: z.object({
    /** Orders with a refund due in any currency, and loans without an order whose money is due. */
    orders: count,
    /** In US dollars. */
    amount: amountAsCents,
  }),
  /** Returns that customers have requested. Servers before 1.1.0 do not send it. */
  returns_requested: z.optional(count),
  /** Returns whose items have arrived, and that are not completed yet. */
  returns_received: z.optional(count),
  /** Failed emails and webhook messages; for the role `staff` the emails only. */
  failed_deliveries: count,
  /** Items on sale of which a few pieces are left. */
  low_stock: count,
  sold_out: count,
  /** The items with the fewest pieces, at most 5. Servers before 1.1.0 do not send them. */
  low_items: z.optional(z.array(lowItemSchema)),
  /** Today, 7 days and 30 days. Servers before 1.1.0 do not send them. */
  periods: z.optional(z.array(periodSchema)),
  /** All statuses, in the order of an order's life, then those unknown to this version. */
  orders_by_status: z.array(z.object({ status: statusTextSchema, orders: count })),
  /** The last 30 days, including today, oldest first. */
  days: z.array(daySchema),
  /** The times of the orders of these days, shortest first, including those cancelled after payment. */
  order_to_payment: z.array(orderToPaymentSchema),
  /** The loans that were bound to orders on these days, by state. */
  loans: z.object({ active: count, paid_out: count, ended: count, unknown: count }),
  provider: z.object({
    /** `away`: the loan provider's last answer was not usable. */
    state: z.enum(providerStates),
    /** When the last complete sweep ended; `null` before the first. */
    last_complete_sweep_at: z.nullable(secondsAsMilliseconds),
  }),
  mail: z.object({
    configured: z.boolean(),
    /** `away`: the mail server is unavailable, or temporarily refuses every email. */
    state: z.enum(["ok", "away"]),
    waiting: count,
    failed: count,
  }),
});
export type Today = z.output<typeof todaySchema>;
