import { timingSafeEqual } from "node:crypto";
import type { NewToken, Token } from "@keepsats/protocol";
import type { Database, Queries, UnitOfWork } from "../../platform/database/database.ts";
import type { Bus } from "../../platform/events/bus.ts";
import { type Clock, elapsed } from "../../platform/scheduling/clock.ts";
import { newSecret, sha256 } from "../../platform/secrets.ts";
import { ADMIN_TOKEN_NAME, type Caller, type Principal } from "./principal.ts";
import { roleColumns, storedRole, tokenDigest } from "./restricted-role.ts";

/** How long the list of tokens is cached, in milliseconds: a revoked token is refused after it. */
const CACHED_FOR = 1_000;
/** The minimum interval between two stored uses of one token, in milliseconds. */
const USE_STORED_EVERY = 120_000;

/** The tokens of the admin API: `ADMIN_TOKEN`, and those in the database. */
export interface ApiTokens {
  /**
   * Costs at most one query per {@link CACHED_FOR} milliseconds, so guessed tokens do not load the
   * database. `ADMIN_TOKEN` costs none, and works without the database.
   */
  authenticate(token: string): Promise<Principal | undefined>;
  list(): Promise<Token[]>;
  /** @returns the token with its secret; `undefined` if the name is in use */
  create(token: NewToken, by: Caller): Promise<(Token & { readonly token: string }) | undefined>;
  /** @returns the revoked token; `undefined` if the id is unknown */
  revoke(id: string): Promise<Token | undefined>;
  close(): void;
}

interface Dependencies {
  readonly adminToken: string;
  readonly database: Database;
  readonly bus: Bus;
  readonly now: Clock;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}

const shown = ["id", "name", "created_by", "created_at", "used_at"] as const;

/** Changes are published on the bus, so all processes read the tokens again. */
export function createApiTokens(dependencies: Dependencies): ApiTokens {
  const { adminToken, database, bus, now, newId, onError } = dependencies;
  const adminDigest = sha256(adminToken);
  const usedAt = new Map<string, number>();
  let cached: Promise<readonly StoredToken[]> = Promise.resolve([]);
  let readAt = Number.NEGATIVE_INFINITY;

  /** A failed read is cached too, so an outage is not loaded with repeated reads. */
  function storedTokens(): Promise<readonly StoredToken[]> {
    if (elapsed() - readAt < CACHED_FOR) return cached;
    readAt = elapsed();
    cached = listTokens(database.db);
    cached.catch(() => {}); // The callers that await it handle the error.
    return cached;
  }

  async function recordUse({ id, used_at }: StoredToken): Promise<void> {
    const at = now();
    if (at - (usedAt.get(id) ?? used_at ?? 0) < USE_STORED_EVERY) return;
    usedAt.set(id, at);
    const stored = database.db.updateTable("tokens").set({ used_at: at });
    await stored.where("id", "=", id).execute().catch(onError);
  }

  function changed(): void {
    bus.publish({ topic: "tokens" });
  }

  const unsubscribe = bus.subscribe(({ topic }) => {
    if (topic === "tokens" || topic === "gap") readAt = Number.NEGATIVE_INFINITY;
  });
  return {
    async authenticate(token) {
      const given = sha256(token);
      if (timingSafeEqual(given, adminDigest)) return { name: ADMIN_TOKEN_NAME, role: "owner" };
      // Compares all of them, so that the response time does not reveal the position of a match.
      const matching = (await storedTokens()).filter(({ hash, role }) =>
        timingSafeEqual(tokenDigest(token, role), Buffer.from(hash, "base64url")),
      );
      const [found] = matching;
      if (found === undefined) return undefined;
      await recordUse(found);
      return { name: found.name, role: found.role, tokenId: found.id };
    },
    list: () => listTokens(database.db),
    async create({ name, role }, by) {
      if (name.toLowerCase() === ADMIN_TOKEN_NAME) return undefined;
      const token = `keepsats_${newSecret()}`;
      const hash = tokenDigest(token, role).toString("base64url");
      const row = { id: newId(), name, hash, created_by: by.name, created_at: now() };
      const stored = await database.inTransaction(async (unit) => {
        await by.authorize(unit);
        unit.afterCommit(changed);
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
        unit.afterCommit(changed);
        return deleteToken(unit, id);
      }),
    close: unsubscribe,
  };
}

/** Serializes the revocation of a token with the changes that it makes. */
export function lockOfToken(id: string): string {
  return `token ${id}`;
}

/** `hash` is the SHA-256 of the token, base64url. */
interface StoredToken extends Token {
  readonly hash: string;
}

/** All tokens, oldest first. */
async function listTokens(db: Queries): Promise<StoredToken[]> {
  return db
    .selectFrom("tokens")
    .select([...shown, "hash"])
    .select(storedRole)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
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
