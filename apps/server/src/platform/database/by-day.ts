import { type SelectQueryBuilder, sql } from "kysely";
import type { Span } from "../scheduling/calendar-day.ts";
import { createYield } from "../scheduling/yield-to-event-loop.ts";
import { isRemote, type Queries } from "./database.ts";
import type { Tables } from "./tables.ts";

interface Days<Day extends Span> {
  /** The column with the time. */
  readonly column: string;
  /** Consecutive, oldest first. */
  readonly days: readonly Day[];
}

/**
 * Runs an aggregate query for each day, or for other spans. PostgreSQL reads all days in one query.
 * SQLite blocks this thread, so it reads one day at a time. The server passes the times of the days,
 * so that both databases have the same rules of time zones.
 */
export async function readByDay<Table extends keyof Tables, Row, Day extends Span>(
  db: Queries,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { column, days }: Days<Day>,
): Promise<(Row & { readonly day: Day })[]> {
  const time = sql.ref<number>(column);
  if (isRemote(db)) {
    const starts = days.map(({ start }) => start);
    const rows = await query
      .select(sql<number>`width_bucket(${time}, ${starts}::bigint[])`.as("day"))
      .where(time, ">=", days.at(0)?.start ?? 0)
      .where(time, "<", days.at(-1)?.end ?? 0)
      .groupBy(sql`day`)
      .orderBy(sql`day`)
      .execute();
    return rows.flatMap((row) => {
      const day = days[row.day - 1];
      return day === undefined ? [] : [{ ...row, day }];
    });
  }
  const yieldToEventLoop = createYield({ share: 1 });
  const all: (Row & { readonly day: Day })[] = [];
  for (const day of days) {
    const rows = await query.where(time, ">=", day.start).where(time, "<", day.end).execute();
    all.push(...rows.map((row) => ({ ...row, day })));
    await yieldToEventLoop();
  }
  return all;
}
