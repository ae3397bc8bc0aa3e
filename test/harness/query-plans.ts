import { CompiledQuery, type KyselyPlugin, type PluginTransformQueryArgs } from "kysely";
import type { Database, Queries } from "../../apps/server/src/db/database.ts";
import type { DatabaseKind } from "./databases.ts";

/**
 * Runs `work` and asks the database how it carries out each of its queries. PostgreSQL is told to
 * read no table from its beginning to its end if an index can be used, because in a small table
 * that is faster.
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
