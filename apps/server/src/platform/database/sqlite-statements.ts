import type BetterSqlite3 from "better-sqlite3";
import type { SqliteDatabase } from "kysely";
import {
  type DatabaseObserver,
  endOfInsert,
  type InsertClauses,
  type ReturnedValue,
  type TransactionDialect,
} from "./database.ts";
import { isDatabaseUnavailable } from "./faults.ts";

const CACHED_STATEMENTS = 200;
type Statement = BetterSqlite3.Statement<unknown[]>;

/**
 * Caches prepared statements by their SQL text; Kysely's driver would prepare one for every query.
 */
export function cachingStatements(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const statements = new Map<string, Statement>();
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = sqlite.prepare(sql);
        if (statements.size >= CACHED_STATEMENTS) statements.clear();
        statements.set(sql, statement);
      }
      const prepared = statement;
      return {
        reader: prepared.reader,
        all: (parameters) => prepared.all(...parameters),
        run: (parameters) => prepared.run(...parameters),
        iterate: (parameters) => prepared.iterate(...parameters),
      };
    },
  };
}

/** A transaction holds the only write lock from its start, so it needs no other locks. */
export function createTransactionDialect(
  database: SqliteDatabase,
  observer: DatabaseObserver,
): TransactionDialect {
  return {
    lockNames: async () => {},
    lockingRows: (query) => query,
    async insertAll(_transaction, all, clauses) {
      const begun = performance.now();
      try {
        const returned = Object.entries(all).flatMap(([table, rows]) =>
          insert(database, { table, rows, clauses }),
        );
        observer.answered(performance.now() - begun);
        return returned;
      } catch (error) {
        // Kysely's log does not see these statements.
        if (isDatabaseUnavailable(error)) observer.unavailable(error);
        throw error;
      }
    },
  };
}

interface Insert {
  readonly table: string;
  readonly rows: readonly object[];
  readonly clauses: InsertClauses | undefined;
}

/**
 * Runs one prepared statement once for each row. That is faster than one statement with many rows,
 * which the triggers make SQLite copy to a temporary table first.
 */
function insert(database: SqliteDatabase, { table, rows, clauses }: Insert): ReturnedValue[] {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return [];
  const names = columns.map((column) => `"${column}"`).join(", ");
  const values = columns.map(() => "?").join(", ");
  const end = endOfInsert(table, clauses);
  const statement = database.prepare(`insert into "${table}" (${names}) values (${values}) ${end}`);
  return rows.flatMap((row) => {
    const parameters = columns.map((column) => Reflect.get(row, column) ?? null);
    if (statement.reader) return statement.all(parameters).map(returnedValue);
    statement.run(parameters);
    return [];
  });
}

function returnedValue(row: unknown): ReturnedValue {
  const { id, value } = Object(row);
  return { id, value };
}
