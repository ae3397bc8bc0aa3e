import type { Queries } from "./database.ts";

/** Reads a value that all processes share, by its name; `undefined` when it was never written. */
export async function readFact(db: Queries, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("facts")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.value;
}

/** Writes a value that all processes share; it replaces the former one. */
export async function writeFact(db: Queries, name: string, value: string): Promise<void> {
  await db
    .insertInto("facts")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
