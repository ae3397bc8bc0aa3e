import { CompiledQuery, type KyselyPlugin, type PluginTransformQueryArgs, sql } from "kysely";
import type { Database, Queries } from "../../apps/server/src/platform/database/database.ts";
import type { DatabaseKind, UsedDatabase } from "./databases.ts";
import { waitFor } from "./wait-for.ts";

/**
 * A database that stops in its transactions: after the first query that names a table, `pause` is
 * awaited, once. With it a test puts the work of another process between two steps.
 */
export function pausing(database: Database, table: string, pause: () => Promise<void>): Database {
  const queries = new Set<unknown>();
  let isPast = false;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes(`"${table}"`)) queries.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queries.has(queryId) && !isPast) {
        isPast = true;
        await pause();
      }
      return result;
    },
  };
  return {
    ...database,
    inTransaction: (work) =>
      database.inTransaction((unit) => work({ ...unit, db: unit.db.withPlugin(plugin) })),
  };
}

/**
 * Resolves when the work of another process is done, or waits for a lock. On SQLite, which serves
 * one process, at once.
 */
export async function doneOrWaiting(shop: UsedDatabase, work: Promise<unknown>): Promise<void> {
  if (shop.secondConnection === shop.database) return;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const waiting = sql<{ waits: boolean }>`select count(*) > 0 as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await waitFor("the other process", async () => {
    const { rows } = await waiting.execute(shop.database.db);
    return isDone || rows[0]?.waits === true;
  });
}

/**
 * Runs `work` and asks the database how it carries out each of its queries. PostgreSQL must use an
 * index where it can: in a small table it would prefer a sequential scan.
 *
 * @returns the plans, as text
 */
export async function plansOf(
  { name }: DatabaseKind,
  { db }: Database,
  work: (db: Queries) => Promise<unknown>,
): Promise<string[]> {
  const asked: PluginTransformQueryArgs[] = [];
  const listener: KyselyPlugin = {
    transformQuery(args) {
      asked.push(args);
      return args.node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(listener));
  const explain = name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
  return db.transaction().execute(async (transaction) => {
    if (name === "PostgreSQL")
      await transaction.executeQuery(CompiledQuery.raw("SET LOCAL enable_seqscan = off"));
    const plans: string[] = [];
    for (const { node, queryId } of asked) {
      const { sql, parameters } = db.getExecutor().compileQuery(node, queryId);
      const { rows } = await transaction.executeQuery(
        CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
      );
      plans.push([sql, ...rows.map((row) => JSON.stringify(row))].join("\n"));
    }
    return plans;
  });
}

const writes: ReadonlySet<string> = new Set([
  "InsertQueryNode",
  "UpdateQueryNode",
  "DeleteQueryNode",
]);
/** How many turns of the event loop each write takes; any other work of a test takes fewer. */
const TURNS = 50;

/**
 * A plugin for a database whose writes take long. `begun` and `ended` count the writes, so that a
 * test sees whether its subject has waited for all of them.
 */
export function slowWrites(): {
  readonly plugin: KyselyPlugin;
  readonly begun: number;
  readonly ended: number;
} {
  const begun = new Set<PluginTransformQueryArgs["queryId"]>();
  let ended = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (writes.has(node.kind)) begun.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!begun.has(queryId)) return result;
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
      ended += 1;
      return result;
    },
  };
  return {
    plugin,
    get begun() {
      return begun.size;
    },
    get ended() {
      return ended;
    },
  };
}
