import type { Queries } from "../db/database.ts";

const FACT = "provider";

/** Stores how the provider was seen last, for all processes. */
export async function writeProviderState(db: Queries, state: string): Promise<void> {
  await db
    .insertInto("facts")
    .values({ name: FACT, value: state })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: state }))
    .execute();
}

/** How the provider was seen last by any process; `undefined` where none has asked yet. */
export async function readProviderState(db: Queries): Promise<string | undefined> {
  const row = await db.selectFrom("facts").select("value").where("name", "=", FACT).executeTakeFirst();
  return row?.value;
}
