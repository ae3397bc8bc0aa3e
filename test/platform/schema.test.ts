import { finalStatuses, journalKinds } from "@keepsats/domain";
import { deliveryStates, isLoanRefusal, issueKinds, loanStates } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { type DatabaseKind, databaseKinds, useDatabase } from "../harness/databases.ts";

/** The definitions of tables and indexes, with their names. */
const definitions: Readonly<Record<DatabaseKind["name"], string>> = {
  SQLite: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL",
  PostgreSQL: `SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS sql
      FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
    UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'`,
};

describe.each(databaseKinds)("the schema on $name", (kind) => {
  const used = useDatabase(kind);

  /** The values that a CHECK of a table, or the condition of an index, lists for a column. */
  async function valuesIn(name: string, column: string): Promise<string[]> {
    const rows =
      await used.testDatabase.run(`SELECT sql FROM (${definitions[kind.name]}) AS all_of_them
      WHERE name = '${name}'`);
    const list = new RegExp(`\\b${column} (?:IN \\(|= ANY \\(ARRAY\\[)([^)\\]]*)`);
    return rows.flatMap((row) => {
      const [, values = ""] = list.exec(String(Reflect.get(Object(row), "sql"))) ?? [];
      return [...values.matchAll(/'([^']*)'/g)].map(([, value = ""]) => value);
    });
  }

  test.each([
    ["loans", "state", loanStates],
    ["loans", "refusal", issueKinds.filter(isLoanRefusal)],
    ["journal", "kind", journalKinds],
    ["outbox", "state", deliveryStates],
    ["staff", "role", ["owner", "staff"]],
    ["tokens", "role", ["owner", "staff"]],
    ["orders_to_erase", "status", finalStatuses],
  ])("of %s lists each %s that the server knows", async (name, column, known) => {
    expect((await valuesIn(name, column)).sort()).toEqual([...known].sort());
  });
});
