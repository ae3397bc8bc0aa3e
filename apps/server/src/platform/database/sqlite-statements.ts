import type BetterSqlite3 from "better-sqlite3";
import type { SqliteDatabase } from "kysely";
import {
  type DatabaseObserver,
  endOfInsert,
  type InsertClauses,
  type NewRows,
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
  sqlite: BetterSqlite3.Database,
  observer: DatabaseObserver,
): TransactionDialect {
  return {
    lockNames: async () => {},
    lockingRows: (query) => query,
    insertAll: createInsertAll(sqlite, observer),
  };
}

/**
 * `insertAll` of SQLite: one prepared statement for each table, run once for each row. That is
 * faster than one statement with many rows, which the triggers make SQLite copy to a temporary
 * table first.
 */
function createInsertAll(sqlite: BetterSqlite3.Database, observer: DatabaseObserver) {
  const statements = new Map<string, BetterSqlite3.Statement<unknown[], ReturnedValue>>();

  function statementFor(table: string, columns: readonly string[], clauses?: InsertClauses) {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const values = columns.map(() => "?").join(", ");
    const end = endOfInsert(table, clauses);
    const text = `insert into "${table}" (${names}) values (${values}) ${end}`;
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = sqlite.prepare<unknown[], ReturnedValue>(text);
    statements.set(text, statement);
    return statement;
  }

  function insert(
    table: string,
    rows: readonly object[],
    clauses?: InsertClauses,
  ): readonly ReturnedValue[] {
    const columns = Object.keys(rows[0] ?? {});
    if (columns.length === 0) return [];
    const statement = statementFor(table, columns, clauses);
    return rows.flatMap((row) => {
      const values = columns.map((column) => Reflect.get(row, column) ?? null);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    });
  }

  return async (
    _transaction: unknown,
    all: NewRows,
    clauses?: InsertClauses,
  ): Promise<readonly ReturnedValue[]> => {
    const begun = performance.now();
    try {
      const returned = Object.entries(all).flatMap(([table, rows]) => insert(table, rows, clauses));
      observer.answered(performance.now() - begun);
      return returned;
    } catch (error) {
      // Kysely's log does not see these statements.
      if (isDatabaseUnavailable(error)) observer.unavailable(error);
      throw error;
    }
  };
}
