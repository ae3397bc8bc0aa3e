import { newSecret } from "../secrets.ts";
import type { Queries } from "./database.ts";

/** Reads a value that all processes share; `undefined` if it was never written. */
export async function readValue(db: Queries, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("key_values")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.value;
}

export async function writeValue(db: Queries, name: string, value: string): Promise<void> {
  await db
    .insertInto("key_values")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Reads a value, or writes it if there is none. Concurrent processes get the same value. */
export async function readOrWriteValue(db: Queries, name: string, value: string): Promise<string> {
  await db
    .insertInto("key_values")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const stored = await readValue(db, name);
  if (stored === undefined) throw new Error(`${name} is not in the database`);
  return stored;
}

/** A secret that all processes share. The first read creates it. */
export async function readSharedSecret(db: Queries, name: string): Promise<Buffer> {
  const secret = (await readValue(db, name)) ?? (await readOrWriteValue(db, name, newSecret()));
  return Buffer.from(secret, "base64url");
}

export async function replaceSharedSecret(db: Queries, name: string): Promise<void> {
  await writeValue(db, name, newSecret());
}
