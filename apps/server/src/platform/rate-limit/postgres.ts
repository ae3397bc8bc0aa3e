import { sql } from "kysely";
import { createBatcher } from "../database/batching.ts";
import type { Queries } from "../database/database.ts";
import { MINUTE } from "../scheduling/clock.ts";
import type { CountWindow, WindowCounters } from "./limit.ts";

/** The maximum number of requests that one statement counts. */
const MAX_PER_STATEMENT = 1_000;
const QUEUE = { maxWaiting: 20_000, maxWait: 1_000 };

interface CountRequest {
  readonly key: string;
  /** The length of the window, in milliseconds. */
  readonly length: number;
}

/**
 * Counters that all processes share in PostgreSQL. The table is `UNLOGGED`, because counts need not
 * survive a crash. Requests at about the same time are counted by one statement.
 */
export function createPostgresCounters(db: Queries): WindowCounters {
  const count = createBatcher<CountRequest, CountWindow>({
    run: (requests) => countAll(db, requests),
    maxJobs: MAX_PER_STATEMENT,
    concurrency: 1,
    ...QUEUE,
    mayBeCausedByOneJob: () => false,
  });
  const pruning = setInterval(() => prune(db).catch(() => {}), MINUTE);
  pruning.unref();
  return {
    count: (key, length) => count({ key, length }),
    close: async () => clearInterval(pruning),
  };
}

/** Several requests with one key get consecutive counts, such as 5, 6 and 7. */
async function countAll(db: Queries, requests: readonly CountRequest[]): Promise<CountWindow[]> {
  const byKey = Map.groupBy(requests, ({ key }) => key);
  const windows = new Map((await add(db, byKey)).map(({ key, ...window }) => [key, window]));
  const later = new Map([...byKey].map(([key, { length }]) => [key, length]));
  return requests.map(({ key }) => {
    const window = windows.get(key);
    if (window === undefined) throw new Error("PostgreSQL returned no count for a key");
    const left = (later.get(key) ?? 1) - 1;
    later.set(key, left);
    return { count: window.count - left, endsIn: window.endsIn };
  });
}

const current = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

async function add(db: Queries, requests: ReadonlyMap<string, readonly CountRequest[]>) {
  // Sorted, so that concurrent statements lock rows in the same order and cannot deadlock.
  const keys = [...requests.keys()].sort();
  const counts = keys.map((key) => requests.get(key)?.length ?? 0);
  const lengths = keys.map((key) => requests.get(key)?.[0]?.length ?? MINUTE);
  const { rows } = await sql<{ key: string; count: number; endsIn: number }>`
    insert into rate_windows as known (key, count, ends_at)
    select key, count, ${current} + length
      from unnest(${keys}::text[], ${counts}::integer[], ${lengths}::bigint[]) as request (key, count, length)
    on conflict (key) do update set
      count = case when known.ends_at > ${current} then known.count else 0 end + excluded.count,
      ends_at = case when known.ends_at > ${current} then known.ends_at else excluded.ends_at end
    returning key, count, ends_at - ${current} as "endsIn"`.execute(db);
  return rows;
}

async function prune(db: Queries): Promise<void> {
  await sql`delete from rate_windows where ends_at < ${current}`.execute(db);
}
