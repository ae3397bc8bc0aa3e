import { CompiledQuery, type Transaction } from "kysely";
import type { NewRows } from "./database.ts";
import type { Tables } from "./tables.ts";

/**
 * `insertAll` of PostgreSQL: one statement for all tables. The rows of a table are one parameter,
 * as JSON, so the text of the statement does not depend on their number.
 */
export async function insertAllIntoPostgres(
  transaction: Transaction<Tables>,
  all: NewRows,
): Promise<void> {
  const tables = Object.entries(all).filter(([, rows]) => rows.length > 0);
  if (tables.length === 0) return;
  const inserts = tables.map(([table, rows], index) => {
    const names = Object.keys(rows[0] ?? {})
      .map((column) => `"${column}"`)
      .join(", ");
    const read = `json_populate_recordset(null::"${table}", $${index + 1})`;
    return `"${table}_stored" as (insert into "${table}" (${names}) select ${names} from ${read})`;
  });
  const parameters = tables.map(([, rows]) => JSON.stringify(rows));
  await transaction.executeQuery(
    CompiledQuery.raw(`with ${inserts.join(", ")} select 1`, parameters),
  );
}
