import { sql } from "kysely";
import type { Queries } from "../db/database.ts";
import { inGroups } from "../db/in-groups.ts";
import { MINUTE, type Window, type Windows } from "./windows.ts";

/** The most acts that one statement counts. */
const ACTS_AT_ONCE = 1_000;
/** The most acts that wait to be counted, and for how long (milliseconds): nobody waits longer for a count. */
const QUEUE = { maxWaiting: 20_000, maxWait: 1_000 };

interface Act {
  readonly key: string;
  /** How long its window lasts, in milliseconds. */
  readonly length: number;
}

/**
 * Windows that all server processes share in PostgreSQL, in a table that is not logged: they need not survive a crash.
 * Acts that come together are counted with one statement.
 */
export function createPostgresWindows(db: Queries): Windows {
  const count = inGroups<Act, Window>({
    run: (acts) => countAll(db, acts),
    maxJobs: ACTS_AT_ONCE,
    maxGroups: 1,
    ...QUEUE,
    mayBeOneJobs: () => false,
  });
  const pruning = setInterval(() => prune(db).catch(() => {}), MINUTE);
  pruning.unref();
  return { count: (key, length) => count({ key, length }), close: async () => clearInterval(pruning) };
}

/** Each act's window as it was when the act was counted: of several acts of one key, each is one further. */
async function countAll(db: Queries, acts: readonly Act[]): Promise<Window[]> {
  const byKey = Map.groupBy(acts, ({ key }) => key);
  const windows = new Map((await add(db, byKey)).map(({ key, ...window }) => [key, window]));
  const later = new Map([...byKey].map(([key, { length }]) => [key, length]));
  return acts.map(({ key }) => {
    const window = windows.get(key);
    if (window === undefined) throw new Error("a count was asked for and not given");
    const left = (later.get(key) ?? 1) - 1;
    later.set(key, left);
    return { count: window.count - left, endsIn: window.endsIn };
  });
}

const present = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

async function add(db: Queries, acts: ReadonlyMap<string, readonly Act[]>) {
  // In one order everywhere, so that two statements never wait for each other.
  const keys = [...acts.keys()].sort();
  const counts = keys.map((key) => acts.get(key)?.length ?? 0);
  const lengths = keys.map((key) => acts.get(key)?.[0]?.length ?? MINUTE);
  const { rows } = await sql<{ key: string; count: number; endsIn: number }>`
    insert into rate_windows as known (key, count, ends_at)
    select key, count, ${present} + length
      from unnest(${keys}::text[], ${counts}::integer[], ${lengths}::bigint[]) as act (key, count, length)
    on conflict (key) do update set
      count = case when known.ends_at > ${present} then known.count else 0 end + excluded.count,
      ends_at = case when known.ends_at > ${present} then known.ends_at else excluded.ends_at end
    returning key, count, ends_at - ${present} as "endsIn"`.execute(db);
  return rows;
}

async function prune(db: Queries): Promise<void> {
  await sql`delete from rate_windows where ends_at < ${present}`.execute(db);
}
