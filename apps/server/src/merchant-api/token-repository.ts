import type { Token, TokenRole } from "@keepsats/protocol";
import type { Queries, UnitOfWork } from "../db/database.ts";

/** A stored token; `hash` is the SHA-256 of its secret, base64url. */
export interface StoredToken extends Token {
  readonly hash: string;
}

/** The lock of a token: nothing that it asks for is let in while it is withdrawn. */
export function lockOfToken(id: string): string {
  return `token ${id}`;
}

/** All tokens, oldest first. */
export async function listTokens(db: Queries): Promise<StoredToken[]> {
  return db
    .selectFrom("tokens")
    .select(["id", "name", "role", "hash", "created_by", "created_at", "used_at"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Stores a token. @returns whether its name was free */
export async function insertToken(
  unit: UnitOfWork,
  token: {
    id: string;
    name: string;
    role: TokenRole;
    hash: string;
    created_by: string;
    created_at: number;
  },
): Promise<boolean> {
  const row = await unit.db
    .insertInto("tokens")
    .values({ ...token, used_at: null })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a token. @returns the deleted token; `undefined` if there is none with this id */
export async function deleteToken(unit: UnitOfWork, id: string): Promise<Token | undefined> {
  return unit.db
    .deleteFrom("tokens")
    .where("id", "=", id)
    .returning(["id", "name", "role", "created_by", "created_at", "used_at"])
    .executeTakeFirst();
}

/** Stores when a token was used. */
export async function storeUse(db: Queries, id: string, usedAt: number): Promise<void> {
  await db.updateTable("tokens").set({ used_at: usedAt }).where("id", "=", id).execute();
}
