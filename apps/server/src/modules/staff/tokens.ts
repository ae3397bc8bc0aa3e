import { timingSafeEqual } from "node:crypto";
import {
  createdTokenSchema,
  type NewToken,
  newTokenSchema,
  paths,
  type Token,
  tokenSchema,
  tokensSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, post, route } from "../../platform/http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import { newSecret, sha256 } from "../../platform/secrets.ts";
import { callerOf } from "./authorize.ts";
import { ADMIN_TOKEN_NAME, type Caller, lockOfToken, type Principal } from "./principal.ts";
import { roleColumns, storedRole, tokenHash, tokenHashes } from "./restricted-role.ts";

/** The minimum interval between two stored uses of one token, in milliseconds. */
const USE_STORED_EVERY = 120_000;

export type ApiTokens = ReturnType<typeof createApiTokens>;

const shown = ["id", "name", "created_by", "created_at", "used_at"] as const;

/**
 * The tokens of the admin API: `ADMIN_TOKEN`, and those in the database. Tokens are rows, so all
 * processes refuse a token once it is revoked. They are looked up by their hash, so the time of a
 * query reveals nothing about a token.
 */
export function createApiTokens(
  { database, newId, onError }: Pick<Platform, "database" | "newId" | "onError">,
  adminToken: string,
) {
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
    /** `ADMIN_TOKEN` works without the database. */
    async authenticate(token: string): Promise<Principal | undefined> {
      if (timingSafeEqual(sha256(token), adminDigest))
        return { name: ADMIN_TOKEN_NAME, role: "owner" };
      const found = await tokens().where("hash", "in", tokenHashes(token)).executeTakeFirst();
      if (found === undefined) return undefined;
      await recordUse(found);
      return { name: found.name, role: found.role, tokenId: found.id };
    },

    /** Oldest first. */
    list: () => tokens().orderBy("created_at").orderBy("id").execute(),

    /** Returns the token with its secret; `undefined` if the name is in use. */
    async create({ name, role }: NewToken, by: Caller) {
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

    /** Returns the revoked token; `undefined` if the id is unknown. */
    revoke: (id: string) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfToken(id));
        return deleteToken(unit, id);
      }),
  };
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

const listTokens = {
  operationId: "listTokens",
  summary: "List the API tokens, without ADMIN_TOKEN and without their secrets",
  permission: "tokens:manage",
  takes: noFields,
  answers: { 200: tokensSchema },
} satisfies Operation;

const createToken = {
  operationId: "createToken",
  summary: "Create an API token; its secret is returned only this once",
  permission: "tokens:manage",
  takes: z.object({ body: newTokenSchema }),
  answers: { 201: createdTokenSchema },
} satisfies Operation;

const revokeToken = {
  operationId: "revokeToken",
  summary: "Revoke an API token; all servers refuse it within a second",
  permission: "tokens:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  notFoundDetail: "No token has this id.",
  answers: { 200: tokenSchema },
} satisfies Operation;

export function tokenRoutes(app: FastifyInstance, tokens: ApiTokens): void {
  route(app, get(paths.admin.tokens), listTokens, async () => ({ tokens: await tokens.list() }));
  route(app, post(paths.admin.tokens), createToken, async ({ body }, reply) => {
    const created = await tokens.create(body, callerOf(reply.request));
    const detail = `There is already a token named "${body.name}".`;
    return created ?? new Refusal("name_taken", { detail });
  });
  route(app, del(paths.admin.token), revokeToken, ({ params }) => tokens.revoke(params.id));
}
