import { type Cents, orderStatuses } from "@keepsats/domain";
import type { Queries } from "../db/database.ts";
import { isAnyUncounted } from "./count-orders.ts";
import { dayLabel, type Figure, waits } from "./order-figures.ts";
import { isIndexing } from "./order-index.ts";

const DAY = 24 * 60 * 60_000;

/** The orders that were placed on one day, and those of them that are paid. */
interface DayFigures {
  /** In UTC, such as `2026-11-23`. */
  readonly day: string;
  readonly placed: number;
  readonly paid: number;
  /**
   * What was taken as their payment: the totals of those that are paid, less what was waived of
   * them.
   */
  readonly paidAmount: Cents;
}

/** The orders by status: all statuses that this version knows, then further ones. */
type OrdersByStatus = readonly { readonly status: string; readonly orders: number }[];

/** The figures of all orders, as they were about a second ago. */
export interface OrderFigures {
  readonly byStatus: OrdersByStatus;
  /** Oldest first. */
  readonly days: readonly DayFigures[];
  /**
   * How many orders were paid within so many milliseconds after they were placed, and not within
   * the time before; `undefined`: later than all others.
   */
  readonly waits: readonly { readonly within: number | undefined; readonly orders: number }[];
  /** The number of loans that are bound to orders, by standing as it is stored. */
  readonly loans: ReadonlyMap<string, number>;
}

/**
 * Reads the figures. It takes the same time for few orders as for a million.
 *
 * @param now the time whose day is the last one, in epoch milliseconds
 * @param days how many days to read
 */
export async function readFigures(
  db: Queries,
  { now, days }: { readonly now: number; readonly days: number },
): Promise<OrderFigures> {
  const times = Array.from({ length: days }, (_, n) => now - (days - 1 - n) * DAY);
  const [ofAll, ofDays] = [
    await figuresOfAll(db, ["status", "wait", "loan"]),
    await figuresOfDays(db, times),
  ];
  const found = new Map([...ofAll, ...ofDays].map((row) => [`${row.figure} ${row.label}`, row]));
  const ordersOf = (figure: string, label: string) => found.get(`${figure} ${label}`)?.orders ?? 0;
  const labelsOf = (figure: string) =>
    ofAll.flatMap((row) => (row.figure === figure && row.orders > 0 ? [row.label] : []));
  return {
    byStatus: byStatusOf(ofAll),
    days: times.map((time) => {
      const label = dayLabel(time);
      return {
        day: new Date(time).toISOString().slice(0, 10),
        placed: ordersOf("placed", label),
        paid: ordersOf("paid", label),
        paidAmount: found.get(`paid ${label}`)?.cents ?? 0,
      };
    }),
    waits: waits.map((within) => ({
      within: Number.isFinite(within) ? within : undefined,
      orders: ordersOf("wait", String(within)),
    })),
    loans: new Map(labelsOf("loan").map((label) => [label, ordersOf("loan", label)])),
  };
}

/**
 * Reads the orders by status, as they were about a second ago. It takes the same time for few
 * orders as for a million.
 */
export async function readByStatus(db: Queries): Promise<OrdersByStatus> {
  return byStatusOf(await figuresOfAll(db, ["status"]));
}

function byStatusOf(rows: Awaited<ReturnType<typeof figuresOfAll>>): OrdersByStatus {
  const stored = rows.filter(({ figure, orders }) => figure === "status" && orders > 0);
  const ordersOf = new Map(stored.map(({ label, orders }) => [label, orders]));
  return [...new Set([...orderStatuses, ...ordersOf.keys()])].map((status) => ({
    status,
    orders: ordersOf.get(status) ?? 0,
  }));
}

function figuresOfAll(db: Queries, figures: readonly Figure[]) {
  return db.selectFrom("order_figures").selectAll().where("figure", "in", figures).execute();
}

async function figuresOfDays(db: Queries, times: readonly number[]) {
  const labels = times.map(dayLabel);
  if (labels.length === 0) return [];
  return db
    .selectFrom("order_figures")
    .selectAll()
    .where("figure", "in", ["placed", "paid"])
    .where("label", "in", labels)
    .execute();
}

/**
 * Whether orders from before an upgrade are still being indexed or counted, so that the figures are
 * too low.
 */
export async function isCounting(db: Queries): Promise<boolean> {
  return (await isIndexing(db)) || (await isAnyUncounted(db));
}
