import {
  type Cents,
  heldChangeOf,
  isDecision,
  type JournalKind,
  journalKinds,
} from "@keepsats/domain";
import type { BookPeriod, KindSum } from "@keepsats/protocol";
import { sql } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import { isRemote } from "../../../platform/database/remote.ts";
import { DAY } from "../../../platform/scheduling/clock.ts";
import type { YieldToEventLoop } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { entriesIn, type Period } from "./journal-period.ts";

/** The sum of the entries of one kind and currency on one day. */
export interface DaySum {
  /** The start of the day in UTC, in epoch milliseconds. */
  readonly day: number;
  readonly kind: JournalKind;
  readonly currency: string;
  readonly entries: number;
  /** As the journal has it. */
  readonly amount: Cents;
}

const startOfDay = (time: number) => Math.floor(time / DAY) * DAY;

/**
 * Sums a period by day. PostgreSQL sums it in one query. SQLite blocks this thread, so it sums one
 * day at a time.
 */
export async function readDaySums(
  db: Queries,
  period: Period,
  yieldToEventLoop: YieldToEventLoop,
): Promise<DaySum[]> {
  const sumsIn = (part: Period) =>
    entriesIn(db, part)
      .select((eb) => [
        "kind",
        "currency",
        eb.fn.countAll<number | string>().as("entries"),
        eb.fn.sum<number | string>("amount").as("amount"),
      ])
      .groupBy(["kind", "currency"]);
  type Row = Awaited<ReturnType<ReturnType<typeof sumsIn>["execute"]>>[number];
  const sumOf = (day: number, { kind, currency, entries, amount }: Row): DaySum => ({
    day,
    kind,
    currency,
    entries: Number(entries),
    amount: Number(amount),
  });

  if (isRemote(db)) {
    const rows = await sumsIn(period)
      .select(sql<number>`at / ${sql.lit(DAY)}`.as("day"))
      .groupBy("day")
      .orderBy("day")
      .execute();
    return rows.map((row) => sumOf(row.day * DAY, row));
  }
  const sums: DaySum[] = [];
  let time = await firstIn(db, period);
  while (time !== undefined) {
    const day = startOfDay(time);
    const end = Math.min(day + DAY, period.before ?? Number.POSITIVE_INFINITY);
    const rows = await sumsIn({ from: time, before: end }).execute();
    sums.push(...rows.map((row) => sumOf(day, row)));
    await yieldToEventLoop();
    time = await firstIn(db, { from: end, before: period.before });
  }
  return sums;
}

async function firstIn(db: Queries, period: Period): Promise<number | undefined> {
  const first = entriesIn(db, period).select("at").orderBy("at").limit(1);
  return (await first.executeTakeFirst())?.at;
}

/** What the entries change in what the shop holds. */
export function heldIn(sums: readonly DaySum[]): Cents {
  return sums.reduce((held, sum) => held + heldChangeOf(sum), 0);
}

/** Sums by kind, in the order of the kinds. */
export function sumsByKind(sums: readonly DaySum[]): KindSum[] {
  const byKind = Map.groupBy(sums, ({ kind }) => kind);
  return journalKinds.flatMap((kind) => {
    const ofKind = byKind.get(kind);
    if (ofKind === undefined) return [];
    const amount = ofKind.reduce((sum, day) => sum + day.amount, 0);
    return {
      kind,
      entries: ofKind.reduce((sum, day) => sum + day.entries, 0),
      change: heldChangeOf({ kind, amount }),
      decided: isDecision(kind) ? amount : 0,
    };
  });
}

/** Groups sums by day, such as `2026-11-23`, or by month, such as `2026-11`; oldest first. */
export function sumsByPeriod(
  sums: readonly DaySum[],
  by: BookPeriod,
): { period: string; sums: KindSum[]; change: Cents }[] {
  const length = by === "day" ? "2026-11-23".length : "2026-11".length;
  const groups = Map.groupBy(sums, ({ day }) => new Date(day).toISOString().slice(0, length));
  return [...groups].map(([period, days]) => ({
    period,
    sums: sumsByKind(days),
    change: heldIn(days),
  }));
}
