import type { Queries } from "./database.ts";

/** Reads a fact that all processes share; `undefined` where nobody has stored it. */
export async function readFact(db: Queries, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("facts").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

/** Stores a fact for all processes, in place of what was known before. */
export async function writeFact(db: Queries, name: string, value: string): Promise<void> {
  await db
    .insertInto("facts")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
