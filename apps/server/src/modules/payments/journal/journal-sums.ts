import {
  type Cents,
  heldChangeOf,
  isDecision,
  type JournalKind,
  journalKinds,
} from "@keepsats/domain";
import type { BooksInterval, KindSum } from "@keepsats/protocol";
import { readByDay } from "../../../platform/database/by-day.ts";
import type { Queries } from "../../../platform/database/database.ts";
import { daysIn } from "../../../platform/scheduling/calendar-day.ts";
import { entriesIn, type Period } from "./period.ts";

/** The sum of the entries of one kind and currency on one day. */
export interface DaySum {
  /** Such as `2026-11-23`. */
  readonly day: string;
  readonly kind: JournalKind;
  readonly currency: string;
  readonly entries: number;
  /** As the journal has it. */
  readonly amount: Cents;
}

/**
 * Sums a period by day, oldest first.
 *
 * @param timeZone of the days
 */
export async function readDaySums(
  db: Queries,
  period: Period,
  timeZone: string,
): Promise<DaySum[]> {
  const first = await findEdge(db, period, "asc");
  const last = await findEdge(db, period, "desc");
  if (first === undefined || last === undefined) return [];
  const sums = db
    .selectFrom("journal")
    .select((eb) => [
      "kind",
      "currency",
      eb.fn.countAll<number | string>().as("entries"),
      eb.fn.sum<number | string>("amount").as("amount"),
    ])
    .groupBy(["kind", "currency"]);
  const days = daysIn({ start: first, end: last + 1 }, timeZone);
  const rows = await readByDay(db, sums, { column: "at", days });
  return rows.map(({ day, kind, currency, entries, amount }) => ({
    day: day.name,
    kind,
    currency,
    entries: Number(entries),
    amount: Number(amount),
  }));
}

/** The time of the first or the last entry. */
async function findEdge(
  db: Queries,
  period: Period,
  order: "asc" | "desc",
): Promise<number | undefined> {
  const edge = entriesIn(db, period).select("at").orderBy("at", order).limit(1);
  return (await edge.executeTakeFirst())?.at;
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
  by: BooksInterval,
): { period: string; sums: KindSum[]; change: Cents }[] {
  const length = by === "day" ? "2026-11-23".length : "2026-11".length;
  const groups = Map.groupBy(sums, ({ day }) => day.slice(0, length));
  return [...groups].map(([period, days]) => ({
    period,
    sums: sumsByKind(days),
    change: heldIn(days),
  }));
}
