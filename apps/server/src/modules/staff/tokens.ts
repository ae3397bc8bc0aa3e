import { timingSafeEqual } from "node:crypto";
import type { NewToken, Token } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../../platform/database/database.ts";
import { newSecret, sha256 } from "../../platform/secrets.ts";
import { ADMIN_TOKEN_NAME, type Caller, type Principal } from "./principal.ts";
import { roleColumns, storedRole, tokenHash, tokenHashes } from "./restricted-role.ts";

/** The minimum interval between two stored uses of one token, in milliseconds. */
const USE_STORED_EVERY = 120_000;

/** The tokens of the admin API: `ADMIN_TOKEN`, and those in the database. */
export interface ApiTokens {
  /** `ADMIN_TOKEN` works without the database. */
  authenticate(token: string): Promise<Principal | undefined>;
  /** Oldest first. */
  list(): Promise<Token[]>;
  /** @returns the token with its secret; `undefined` if the name is in use */
  create(token: NewToken, by: Caller): Promise<(Token & { readonly token: string }) | undefined>;
  /** @returns the revoked token; `undefined` if the id is unknown */
  revoke(id: string): Promise<Token | undefined>;
}

interface Dependencies {
  readonly adminToken: string;
  readonly database: Database;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}

const shown = ["id", "name", "created_by", "created_at", "used_at"] as const;

/**
 * Tokens are rows, so all processes refuse a token once it is revoked. They are looked up by their
 * hash, so the time of a query reveals nothing about a token.
 */
export function createApiTokens(dependencies: Dependencies): ApiTokens {
  const { adminToken, database, newId, onError } = dependencies;
  const { db, now } = database;
  const adminDigest = sha256(adminToken);
  const tokens = () => db.selectFrom("tokens").select(shown).select(storedRole);

  async function recordUse({ id, used_at }: Token): Promise<void> {
    const before = now() - USE_STORED_EVERY;
    if (used_at !== null && used_at > before) return;
    await db
      .updateTable("tokens")
      .set({ used_at: now() })
      .where("id", "=", id)
      // Of requests at the same time, one stores its use.
      .where(({ eb, or }) => or([eb("used_at", "is", null), eb("used_at", "<=", before)]))
      .execute()
      .catch(onError);
  }

  return {
    async authenticate(token) {
      if (timingSafeEqual(sha256(token), adminDigest))
        return { name: ADMIN_TOKEN_NAME, role: "owner" };
      const found = await tokens().where("hash", "in", tokenHashes(token)).executeTakeFirst();
      if (found === undefined) return undefined;
      await recordUse(found);
      return { name: found.name, role: found.role, tokenId: found.id };
    },
    list: () => tokens().orderBy("created_at").orderBy("id").execute(),
    async create({ name, role }, by) {
      if (name.toLowerCase() === ADMIN_TOKEN_NAME) return undefined;
      const token = `keepsats_${newSecret()}`;
      const hash = tokenHash(token, role);
      const row = { id: newId(), name, hash, created_by: by.name, created_at: now() };
      const stored = await database.inTransaction(async (unit) => {
        await by.authorize(unit);
        return unit.db
          .insertInto("tokens")
          .values({ ...row, ...roleColumns(role), used_at: null })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .returning(shown)
          .returning(storedRole)
          .executeTakeFirst();
      });
      return stored && { ...stored, token };
    },
    revoke: (id) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfToken(id));
        return deleteToken(unit, id);
      }),
  };
}

/** Serializes the revocation of a token with the changes that it makes. */
export function lockOfToken(id: string): string {
  return `token ${id}`;
}

/** @returns the deleted token; `undefined` if the id is unknown */
export async function deleteToken(unit: UnitOfWork, id: string): Promise<Token | undefined> {
  return unit.db
    .deleteFrom("tokens")
    .where("id", "=", id)
    .returning(shown)
    .returning(storedRole)
    .executeTakeFirst();
}
