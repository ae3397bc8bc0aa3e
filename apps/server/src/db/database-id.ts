import { randomUUID } from "node:crypto";
import type { Queries } from "./database.ts";

const ID = "database-id";

/**
 * Reads this database's random id, or creates it. Processes that start concurrently get the same
 * id.
 */
export async function readDatabaseId(db: Queries): Promise<string> {
  const made = { name: ID, value: randomUUID() };
  await db
    .insertInto("facts")
    .values(made)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("facts")
    .select("value")
    .where("name", "=", ID)
    .executeTakeFirstOrThrow();
  return value;
}
