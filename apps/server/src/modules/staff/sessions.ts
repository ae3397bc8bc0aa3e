import {
  hasPermission,
  paths,
  type StaffSession,
  staffSessionSchema,
  staffSessionsSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { UnitOfWork } from "../../platform/database/database.ts";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, route } from "../../platform/http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { newSecret, sha256Text } from "../../platform/secrets.ts";
import { lockOfStaff, type Principal, principalOf } from "./principal.ts";
import { sessionHash, sessionHashes, storedRole } from "./restricted-role.ts";
import { endOf, openSessions, type SessionRow } from "./session-repository.ts";

/** The minimum interval between two stored uses of a session, in milliseconds. */
const USE_STORED_EVERY = 120_000;
const MAX_BROWSER_LENGTH = 200;

/** A new session, and the secret for its cookie. */
export interface NewSession {
  readonly secret: string;
  readonly session: SessionRow;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of the admin. They are rows, so all processes refuse a session once it is ended. Rows
 * are looked up by the hash of a secret, so the time of a query reveals nothing about the secret.
 */
export function createSessions({
  database,
  bus,
  newId,
  onError,
}: Pick<Platform, "database" | "bus" | "newId" | "onError">) {
  const changed = () => bus.publish({ topic: "sessions" });

  /**
   * Opens a session in the transaction that has authenticated the member. Returns `undefined` if
   * the member was removed in the meantime.
   *
   * @param agent the `User-Agent`, for the list of sessions
   */
  async function open(
    unit: UnitOfWork,
    staffId: string,
    agent: string | undefined,
  ): Promise<NewSession | undefined> {
    const now = database.now();
    const secret = newSecret();
    const id = newId();
    const member = await unit.db
      .updateTable("staff")
      .set({ signed_in_at: now })
      .where("id", "=", staffId)
      .returning(["name", "email"])
      .returning(storedRole)
      .executeTakeFirst();
    if (member === undefined) return undefined;
    const row = { id, staff_id: staffId, browser: browserOf(agent), created_at: now, used_at: now };
    await unit.db
      .insertInto("staff_sessions")
      .values({ ...row, hash: sessionHash(secret, member.role) })
      .execute();
    unit.afterCommit(changed);
    return { secret, session: { ...row, ...member } };
  }

  async function recordUse({ id, used_at }: SessionRow): Promise<void> {
    const now = database.now();
    if (now - used_at < USE_STORED_EVERY) return;
    const stored = database.db.updateTable("staff_sessions").set({ used_at: now });
    await stored.where("id", "=", id).where("used_at", "<", now).execute().catch(onError);
  }

  return {
    open,

    /**
     * The name of the member of staff whom a link signs in; `undefined` if the link is unknown,
     * used or expired. Does not use the link.
     */
    async nameOfLink(secret: string): Promise<string | undefined> {
      if (!isSecret(secret)) return undefined;
      const link = await database.db
        .selectFrom("sign_in_links")
        .innerJoin("staff", "staff.id", "sign_in_links.staff_id")
        .select("staff.name")
        .where("hash", "=", sha256Text(secret))
        .where("expires_at", ">", database.now())
        .executeTakeFirst();
      return link?.name;
    },

    /**
     * Signs in with a one-time link. It revokes the member's other links too: an unused invitation
     * in a mailbox would stay valid for days. Returns `undefined` as `nameOfLink` does.
     */
    async openByLink(secret: string, agent: string | undefined) {
      if (!isSecret(secret)) return undefined;
      const hash = sha256Text(secret);
      return database.inTransaction(async (unit) => {
        const link = await unit.db
          .selectFrom("sign_in_links")
          .select("staff_id")
          .where("hash", "=", hash)
          .executeTakeFirst();
        if (link === undefined) return undefined;
        // Serializes with the member's removal, which would fail over the new session. Of two
        // sign-ins with one link, only one deletes it.
        await unit.lock(lockOfStaff(link.staff_id));
        const used = await unit.db
          .deleteFrom("sign_in_links")
          .where("hash", "=", hash)
          .where("expires_at", ">", database.now())
          .returning("staff_id")
          .executeTakeFirst();
        if (used === undefined) return undefined;
        await unit.db.deleteFrom("sign_in_links").where("staff_id", "=", used.staff_id).execute();
        return open(unit, used.staff_id, agent);
      });
    },

    /** Finds the session of one of these secrets, and stores its use. */
    async find(...secrets: readonly string[]): Promise<SessionRow | undefined> {
      const hashes = secrets.filter(isSecret).flatMap(sessionHashes);
      if (hashes.length === 0) return undefined;
      const found = await openSessions(database.db, database.now())
        .where("staff_sessions.hash", "in", hashes)
        .executeTakeFirst();
      if (found !== undefined) await recordUse(found);
      return found;
    },

    /** All sessions, or those of one member of staff; the last used first. */
    list: (staffId: string | undefined): Promise<SessionRow[]> =>
      openSessions(database.db, database.now(), staffId)
        .orderBy("staff_sessions.used_at", "desc")
        .orderBy("staff_sessions.id")
        .execute(),

    /** The ids of these sessions that are still open. */
    async openAmong(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await openSessions(database.db, database.now())
        .where("staff_sessions.id", "in", ids)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Ends a session, with `staffId` only one of that member, and returns it if it was open. */
    end: (id: string, staffId?: string): Promise<SessionRow | undefined> =>
      database.inTransaction(async (unit) => {
        const session = await openSessions(unit.db, database.now(), staffId)
          .where("staff_sessions.id", "=", id)
          .executeTakeFirst();
        if (session === undefined) return undefined;
        // Serializes with the changes that the session makes.
        await unit.lock(lockOfStaff(session.staff_id));
        await unit.db.deleteFrom("staff_sessions").where("id", "=", id).execute();
        unit.afterCommit(changed);
        return session;
      }),

    /** Ends the session of a cookie, if there is one: a new session replaces it in the browser. */
    async endByCookie(secret: string): Promise<void> {
      const { numDeletedRows } = await database.db
        .deleteFrom("staff_sessions")
        .where("hash", "in", sessionHashes(secret))
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0) changed();
    },
  };
}

/** Whether a text has the form of a secret; no other text is looked up. */
function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

function browserOf(agent: string | undefined): string | null {
  const text = (agent ?? "").replaceAll(/[^\x20-\x7e]/g, "").slice(0, MAX_BROWSER_LENGTH);
  return text === "" ? null : text;
}

const listSessions = {
  operationId: "listSessions",
  summary: "List the open sessions of the admin; staff see their own only",
  permission: "sessions:own",
  takes: noFields,
  answers: { 200: staffSessionsSchema },
} satisfies Operation;

const endSession = {
  operationId: "endSession",
  summary: "End a session; all servers refuse it at once. Staff can end their own only",
  permission: "sessions:own",
  takes: z.object({ params: z.object({ id: storedId }) }),
  notFoundDetail: "No session has this id.",
  answers: { 200: staffSessionSchema },
} satisfies Operation;

/** The member whose sessions a principal may see; `undefined` for all, `""` for none. */
function visibleTo({ role, session }: Principal): string | undefined {
  return hasPermission(role, "sessions:all") ? undefined : (session?.staffId ?? "");
}

function sessionAnswer({ email: _, ...row }: SessionRow, { session }: Principal): StaffSession {
  return { ...row, expires_at: endOf(row), current: row.id === session?.id };
}

export function sessionRoutes(app: FastifyInstance, sessions: Sessions): void {
  route(app, get(paths.admin.sessions), listSessions, async (_input, reply) => {
    const principal = principalOf(reply.request);
    const rows = await sessions.list(visibleTo(principal));
    return { sessions: rows.map((row) => sessionAnswer(row, principal)) };
  });
  route(app, del(paths.admin.session), endSession, async ({ params }, reply) => {
    const principal = principalOf(reply.request);
    const ended = await sessions.end(params.id, visibleTo(principal));
    return ended && sessionAnswer(ended, principal);
  });
}
