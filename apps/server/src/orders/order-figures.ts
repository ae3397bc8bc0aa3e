import { isOrderStatus, type OrderStatus } from "@keepsats/domain";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../db/database.ts";
import { padded } from "../db/in-groups.ts";
import type { StoredStatus } from "./order.ts";

/**
 * The figures that are kept: orders by status; by the day on which they were placed, all orders and
 * those that are paid; orders by the time from order to payment; and loans by standing.
 */
export type Figure = "status" | "placed" | "paid" | "wait" | "loan";

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The upper bounds of the times from order to payment, in milliseconds, ascending; the last bucket
 * has none.
 */
export const waits: readonly number[] = [
  ...[MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY],
  Number.POSITIVE_INFINITY,
];

/** The label of a day in UTC. As a text it sorts like the day. @param at epoch milliseconds */
export function dayLabel(at: number): string {
  return String(Math.max(0, Math.floor(at / DAY))).padStart(9, "0");
}

/** The label of the bucket of a time from order to payment. @param wait in milliseconds */
function waitLabel(wait: number): string {
  return String(waits.find((bound) => wait <= bound));
}

/** What figures contain of an order: figure, label, count and cents. */
const countedSchema = z.array(z.tuple([z.string(), z.string(), z.number(), z.number()]));
export type Counted = z.output<typeof countedSchema>;

/** Reads the column `counted`. */
export function countedOf(json: string | null): Counted {
  return json === null ? [] : countedSchema.parse(JSON.parse(json));
}

/** What the figures depend on; the total in cents, times in epoch milliseconds. */
interface CountedFields {
  readonly status: StoredStatus;
  readonly total: number;
  readonly created_at: number;
  /** When it was paid; `undefined` if it never was. */
  readonly paidAt: number | undefined;
  /**
   * What was taken as its payment, if that is less than the total; `undefined` if it was paid in
   * full.
   */
  readonly accepted?: number | undefined;
  /** The standings of its loans, as they are stored. */
  readonly loans: readonly string[];
}

/** Whether an order with this status is paid and not cancelled. */
const isPaid: Readonly<Record<OrderStatus, boolean>> = {
  Pending: false,
  PaymentProcessing: false,
  PaymentProcessed: true,
  Shipped: true,
  Delivered: true,
  Cancelled: false,
};

/** What the figures must contain of an order. */
export function contributionOf({
  status,
  total,
  created_at,
  paidAt,
  accepted = total,
  loans,
}: CountedFields): Counted {
  const day = dayLabel(created_at);
  const counted: [Figure, string, number, number][] = [
    ["status", status, 1, 0],
    ["placed", day, 1, 0],
  ];
  if (isOrderStatus(status) && isPaid[status])
    counted.push(["paid", day, 1, Math.min(accepted, total)]);
  if (paidAt !== undefined) counted.push(["wait", waitLabel(paidAt - created_at), 1, 0]);
  const byStanding = Map.groupBy(loans.toSorted(), (standing) => standing);
  for (const [standing, some] of byStanding) counted.push(["loan", standing, some.length, 0]);
  return counted;
}

/**
 * Reads what the figures must contain of orders, by order id. Read it in the transaction that
 * stores it, after the notice of the change that it is read for: a later change has a notice of its
 * own.
 */
export async function readContributions(
  db: Queries,
  orders: readonly (Pick<CountedFields, "status" | "total" | "created_at"> & {
    readonly id: string;
  })[],
): Promise<Map<string, Counted>> {
  if (orders.length === 0) return new Map();
  const ids = padded(orders.map(({ id }) => id));
  const payments = await db
    .selectFrom("order_events")
    .select(["order_id", "at"])
    .where("order_id", "in", ids)
    .where("to_status", "=", "PaymentProcessed")
    .whereRef("from_status", "<>", "to_status")
    .execute();
  const loans = await db
    .selectFrom("contracts")
    .select(["order_id", "meaning"])
    .where("order_id", "in", ids)
    .execute();
  const acceptances = await db
    .selectFrom("mismatches")
    .select(["order_id", "cents"])
    .where("order_id", "in", ids)
    .where("resolution", "=", "accepted")
    .execute();
  const accepted = new Map(
    acceptances.map(({ order_id, cents }) => [order_id, cents ?? undefined]),
  );
  const paidAt = new Map(payments.map(({ order_id, at }) => [order_id, at]));
  const loansOf = Map.groupBy(loans, ({ order_id }) => order_id);
  return new Map(
    orders.map(({ id, ...order }) => [
      id,
      contributionOf({
        ...order,
        paidAt: paidAt.get(id),
        accepted: accepted.get(id),
        loans: (loansOf.get(id) ?? []).map(({ meaning }) => meaning),
      }),
    ]),
  );
}

/** The sums of figures by figure and label. */
interface Sum {
  readonly figure: string;
  readonly label: string;
  readonly orders: number;
  readonly cents: number;
}

/**
 * The sums of what is added minus what is taken away, without those that are 0. Sorted by figure
 * and label.
 */
export function differenceOf(added: readonly Counted[], taken: readonly Counted[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const [sign, all] of [
    [1, added],
    [-1, taken],
  ] as const) {
    for (const [figure, label, count, cents] of all.flat()) {
      const key = JSON.stringify([figure, label]);
      const before = sums.get(key) ?? { orders: 0, cents: 0 };
      sums.set(key, {
        figure,
        label,
        orders: before.orders + sign * count,
        cents: before.cents + sign * cents,
      });
    }
  }
  return [...sums]
    .filter(([, { orders, cents }]) => orders !== 0 || cents !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum);
}

/**
 * Adds to the figures, and takes away what was counted before, in the transaction that stores with
 * the orders what is counted of them.
 */
export async function addToFigures(
  { db }: UnitOfWork,
  added: readonly Counted[],
  taken: readonly Counted[] = [],
): Promise<void> {
  const sums = differenceOf(added, taken);
  if (sums.length === 0) return;
  await db
    .insertInto("order_figures")
    .values(sums)
    .onConflict((conflict) =>
      conflict.columns(["figure", "label"]).doUpdateSet((eb) => ({
        orders: eb("order_figures.orders", "+", eb.ref("excluded.orders")),
        cents: eb("order_figures.cents", "+", eb.ref("excluded.cents")),
      })),
    )
    .execute();
}
