import { randomBytes } from "node:crypto";
import type { Database, Queries } from "./database.ts";
import { readFact, writeFact } from "./facts.ts";

/**
 * Reads a secret that all processes share, by the name of its fact. The first read creates it;
 * concurrent reads return the same secret.
 */
export async function readSharedSecret(
  database: Pick<Database, "db" | "inTransaction">,
  fact: string,
): Promise<Buffer> {
  const secret =
    (await readFact(database.db, fact)) ??
    (await database.inTransaction(({ db }) => makeSecret(db, fact)));
  return Buffer.from(secret, "base64url");
}

export async function replaceSharedSecret(db: Queries, fact: string): Promise<void> {
  await writeFact(db, fact, newSecret());
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Stores a secret unless a concurrent transaction does, and returns the stored one. */
async function makeSecret(db: Queries, fact: string): Promise<string> {
  await db
    .insertInto("facts")
    .values({ name: fact, value: newSecret() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await readFact(db, fact);
  if (stored === undefined) throw new Error(`the secret ${fact} is not in the database`);
  return stored;
}
