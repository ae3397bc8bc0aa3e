import { sql } from "kysely";
import type { Queries } from "../db/database.ts";
import { WINDOW, type Window, type Windows } from "./windows.ts";

interface Waiting {
  readonly resolve: (window: Window) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Windows that all server processes share in PostgreSQL, in a table that is not logged: they need not survive a crash.
 * Acts that come together are counted with one statement.
 */
export function createPostgresWindows(db: Queries): Windows {
  let waiting = new Map<string, Waiting[]>();

  async function countAll(): Promise<void> {
    const counting = waiting;
    waiting = new Map();
    try {
      for (const { key, count, endsIn } of await add(db, counting)) {
        const acts = counting.get(key) ?? [];
        for (const [index, act] of acts.entries()) {
          act.resolve({ count: count - (acts.length - 1 - index), endsIn });
        }
      }
    } catch (error) {
      for (const acts of counting.values()) for (const act of acts) act.reject(error);
    }
  }

  const pruning = setInterval(() => prune(db).catch(() => {}), WINDOW);
  pruning.unref();
  return {
    count: (key) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(countAll);
        const acts = waiting.get(key);
        if (acts === undefined) waiting.set(key, [{ resolve, reject }]);
        else acts.push({ resolve, reject });
      }),
    close: async () => clearInterval(pruning),
  };
}

const present = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

async function add(db: Queries, acts: ReadonlyMap<string, readonly unknown[]>) {
  // In one order everywhere, so that two statements never wait for each other.
  const keys = [...acts.keys()].sort();
  const counts = keys.map((key) => acts.get(key)?.length ?? 0);
  const { rows } = await sql<{ key: string; count: number; endsIn: number }>`
    insert into rate_windows as known (key, count, ends_at)
    select key, count, ${present} + ${WINDOW} from unnest(${keys}::text[], ${counts}::integer[]) as act (key, count)
    on conflict (key) do update set
      count = case when known.ends_at > ${present} then known.count else 0 end + excluded.count,
      ends_at = case when known.ends_at > ${present} then known.ends_at else excluded.ends_at end
    returning key, count, ends_at - ${present} as "endsIn"`.execute(db);
  return rows;
}

async function prune(db: Queries): Promise<void> {
  await sql`delete from rate_windows where ends_at < ${present}`.execute(db);
}
