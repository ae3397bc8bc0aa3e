import { currency, type JournalKind, orderStatuses } from "@keepsats/domain";
import { loanStates } from "@keepsats/protocol";
import { PostgresAdapter, sql } from "kysely";
import { type Clock, elapsed } from "../clock.ts";
import type { Queries } from "../db/database.ts";
import { createEndTurn, type EndTurn } from "../turns.ts";
import {
  DAY,
  type DayCount,
  type DayMoney,
  lastDays,
  type OrderFigures,
  sumByDay,
  sumByStatus,
  sumByWait,
  waits,
} from "./figures.ts";
import type { StoredStatus } from "./order.ts";

/** How many orders one query counts, so that SQLite serves other requests in between. */
const ORDERS_PER_QUERY = 50_000;

/** In milliseconds. */
export interface FigureTimes {
  /** How long figures are answered again before they are counted anew. */
  readonly keepFigures: number;
}

export const figureTimes: FigureTimes = { keepFigures: 3_000 };

/**
 * Creates a function that reads the figures. Calls of some seconds share one count; after it has
 * failed, the next call counts again.
 */
export function createFigures(
  db: Queries,
  now: Clock,
  { keepFigures }: FigureTimes,
): () => Promise<OrderFigures> {
  let keptUntil = Number.NEGATIVE_INFINITY;
  let figures: Promise<OrderFigures> | undefined;
  return () => {
    if (figures !== undefined && elapsed() < keptUntil) return figures;
    const until = elapsed() + keepFigures;
    keptUntil = Number.POSITIVE_INFINITY;
    figures = readFigures(db, now()).then(
      (read) => {
        keptUntil = until;
        return read;
      },
      (error: unknown) => {
        keptUntil = Number.NEGATIVE_INFINITY;
        throw error;
      },
    );
    return figures;
  };
}

/**
 * Counts orders and loans. PostgreSQL counts each kind in one query. SQLite counts in this thread,
 * so it counts by status and day, and yields to the event loop in between: an order whose status
 * changes then is counted twice or not at all, until the next count. Only `days` and `byStatus` are
 * affected, each by the few orders of that moment.
 *
 * @param now the time whose day is the last one, in epoch milliseconds
 */
export async function readFigures(db: Queries, now: number): Promise<OrderFigures> {
  const endTurn = createEndTurn({ share: 1 });
  const starts = lastDays(now);
  const first = starts[0] ?? now;
  const statuses = [...new Set([...orderStatuses, ...(await statusesOf(db))])];
  const older = await countOlder(db, statuses, { before: first, endTurn });
  const recent = await countDays(db, statuses, { starts, endTurn });
  const money = await sumMoney(db, starts, endTurn);
  return {
    byStatus: sumByStatus([...older, ...recent]),
    days: sumByDay(starts, recent, money),
    waits: sumByWait(recent),
    loans: await countLoans(db, starts, endTurn),
  };
}

/** The statuses that orders have, each read from its place in the index. */
async function statusesOf(db: Queries): Promise<StoredStatus[]> {
  const statuses: StoredStatus[] = [];
  for (;;) {
    const next = await db
      .selectFrom("orders")
      .select("status")
      .where("status", ">", statuses.at(-1) ?? "")
      .orderBy("status")
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return statuses;
    statuses.push(next.status);
  }
}

/** Whether queries run in another process, so that a long one blocks nothing here. */
function isElsewhere(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Counts the orders by status that were placed before a time. */
async function countOlder(
  db: Queries,
  statuses: readonly StoredStatus[],
  { before, endTurn }: { readonly before: number; readonly endTurn: EndTurn },
) {
  if (isElsewhere(db))
    return (
      db
        .selectFrom("orders")
        .select((eb) => ["status", eb.fn.countAll<number>().as("orders")])
        // With the statuses PostgreSQL reads the index and not the table.
        .where(sql.ref<string>("status"), "in", statuses)
        .where("created_at", "<", before)
        .groupBy("status")
        .execute()
    );
  const counted: { status: StoredStatus; orders: number }[] = [];
  for (const status of statuses)
    counted.push({ status, orders: await countBefore(db, { status, before }, endTurn) });
  return counted;
}

/** Counts the orders of one status that were placed before a time, in parts. */
async function countBefore(
  db: Queries,
  { status, before }: { readonly status: StoredStatus; readonly before: number },
  endTurn: EndTurn,
): Promise<number> {
  let counted = 0;
  let after = { created_at: -1, id: "" };
  for (;;) {
    const { created_at, id } = after;
    const rest = db
      .selectFrom("orders")
      .where(sql.ref("status"), "=", status)
      .where("created_at", "<", before)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "id"), ">", tuple(created_at, id)),
      );
    const next = await rest
      .select(["created_at", "id"])
      .orderBy("created_at")
      .orderBy("id")
      .offset(ORDERS_PER_QUERY - 1)
      .limit(1)
      .executeTakeFirst();
    await endTurn();
    if (next === undefined) {
      const { orders } = await rest
        .select((eb) => eb.fn.countAll<number>().as("orders"))
        .executeTakeFirstOrThrow();
      return counted + orders;
    }
    counted += ORDERS_PER_QUERY;
    after = next;
  }
}

/** Counts the orders of some days by status and day. */
async function countDays(
  db: Queries,
  statuses: readonly StoredStatus[],
  { starts, endTurn }: { readonly starts: readonly number[]; readonly endTurn: EndTurn },
): Promise<DayCount[]> {
  const counts = db
    .selectFrom("orders")
    .select((eb) => [
      eb.fn.countAll<number>().as("orders"),
      eb.fn.count<number>("paid_at").as("paid"),
      ...waits.map((within) =>
        sql<number>`count(*) filter (where paid_at - created_at <= ${within})`.as(`w${within}`),
      ),
    ]);
  type Row = Awaited<ReturnType<typeof counts.executeTakeFirstOrThrow>>;
  const read = (status: StoredStatus, start: number, row: Row): DayCount => ({
    status,
    start,
    orders: row.orders,
    paidWithin: [...waits.map((within) => Number(Reflect.get(row, `w${within}`))), row.paid],
  });
  if (isElsewhere(db)) {
    const rows = await counts
      .select(["status", sql<number>`created_at / ${sql.lit(DAY)}`.as("day")])
      .where(sql.ref<string>("status"), "in", statuses)
      .where("created_at", ">=", starts[0] ?? 0)
      .where("created_at", "<", (starts.at(-1) ?? 0) + DAY)
      .groupBy(["status", "day"])
      .execute();
    return rows.map((row) => read(row.status, row.day * DAY, row));
  }
  const counted: DayCount[] = [];
  for (const status of statuses)
    for (const start of starts) {
      const row = await counts
        .where(sql.ref("status"), "=", status)
        .where("created_at", ">=", start)
        .where("created_at", "<", start + DAY)
        .executeTakeFirstOrThrow();
      counted.push(read(status, start, row));
      await endTurn();
    }
  return counted;
}

const moneyIn: readonly JournalKind[] = [
  "received",
  "reversed",
  "corrected",
  "extension",
  "refund-reversed",
];

/** Sums the money of some days in the shop's currency: what was received, less what was refunded. */
async function sumMoney(
  db: Queries,
  starts: readonly number[],
  endTurn: EndTurn,
): Promise<DayMoney[]> {
  const sums = db
    .selectFrom("journal")
    .select(
      sql<number | string | null>`sum(CASE kind WHEN 'refunded' THEN -amount ELSE amount END)`.as(
        "amount",
      ),
    )
    .where("kind", "in", [...moneyIn, "refunded"])
    .where("currency", "=", currency.code);
  if (isElsewhere(db)) {
    const rows = await sums
      .select(sql<number>`at / ${sql.lit(DAY)}`.as("day"))
      .where("at", ">=", starts[0] ?? 0)
      .where("at", "<", (starts.at(-1) ?? 0) + DAY)
      .groupBy("day")
      .execute();
    return rows.map(({ day, amount }) => ({ start: day * DAY, amount: Number(amount) }));
  }
  const summed: DayMoney[] = [];
  for (const start of starts) {
    const { amount } = await sums
      .where("at", ">=", start)
      .where("at", "<", start + DAY)
      .executeTakeFirstOrThrow();
    summed.push({ start, amount: Number(amount ?? 0) });
    await endTurn();
  }
  return summed;
}

/** Counts the loans that were bound since the first day, by state. */
async function countLoans(
  db: Queries,
  starts: readonly number[],
  endTurn: EndTurn,
): Promise<Map<string, number>> {
  const loans = new Map<string, number>();
  const bounds = isElsewhere(db) ? starts.slice(0, 1) : starts;
  for (const state of loanStates)
    for (const [index, start] of bounds.entries()) {
      const { bound } = await db
        .selectFrom("loans")
        .select((eb) => eb.fn.countAll<number>().as("bound"))
        .where("state", "=", state)
        .where("bound_at", ">=", start)
        .where("bound_at", "<", bounds[index + 1] ?? (starts.at(-1) ?? 0) + DAY)
        .executeTakeFirstOrThrow();
      if (bound > 0) loans.set(state, (loans.get(state) ?? 0) + bound);
      await endTurn();
    }
  return loans;
}
