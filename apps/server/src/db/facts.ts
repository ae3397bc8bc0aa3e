import { randomBytes } from "node:crypto";
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

/**
 * Reads a value that all processes share; if there is none, it stores this one. Processes that do
 * so at the same time get the same value.
 */
export async function readOrWriteFact(db: Queries, name: string, value: string): Promise<string> {
  await db
    .insertInto("facts")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const stored = await readFact(db, name);
  if (stored === undefined) throw new Error(`${name} is not in the database`);
  return stored;
}

/** Reads a secret that all processes share. The first read creates it. */
export async function readSharedSecret(db: Queries, name: string): Promise<Buffer> {
  const secret = (await readFact(db, name)) ?? (await readOrWriteFact(db, name, newSecret()));
  return Buffer.from(secret, "base64url");
}

export async function replaceSharedSecret(db: Queries, name: string): Promise<void> {
  await writeFact(db, name, newSecret());
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
