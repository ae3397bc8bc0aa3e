import type { Bus } from "../bus/bus.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { createKnownKeys } from "./known-keys.ts";
import { hashOf, isSecret, newSecret } from "./secret.ts";
import { liveSessions, type SessionRow, type Since, sessionsSince } from "./session-repository.ts";
import { lockOfStaff } from "./staff-repository.ts";

const DAY = 24 * 60 * 60_000;
/** After how long without use a session ends, in milliseconds. */
const IDLE_LIFE = 7 * DAY;
/** How long after its beginning a session ends, however much it is used, in milliseconds. */
const LONGEST_LIFE = 90 * DAY;
/** The least time between two stored uses of a session, in milliseconds. */
const USE_STORED_EVERY = 120_000;
const MAX_BROWSER = 200;

/** A session that has just begun. `secret` goes into the cookie. */
export interface Opened {
  readonly secret: string;
  readonly session: SessionRow;
}

/** The sessions of the desk. They are rows, so an ended one is refused by all processes at once. */
export interface Sessions {
  /**
   * Returns the name of the member of staff that a link belongs to, without using the link.
   *
   * @param isGuess whether the client has failed before: its wrong secrets then share one query a
   *   second and are answered later
   * @returns `undefined` if the link is unknown, used or expired
   */
  nameOfLink(secret: string, isGuess?: boolean): Promise<string | undefined>;
  /**
   * Signs in with the secret of a link, which works once. The other links of the same member open
   * nothing any more: an unused invitation in a mailbox would let its finder in for days.
   *
   * @param browser the `User-Agent`, for the list of sessions
   * @returns `undefined` as for {@link nameOfLink}
   */
  openByLink(
    secret: string,
    browser: string | undefined,
    isGuess?: boolean,
  ): Promise<Opened | undefined>;
  /**
   * Begins a session in a transaction that has checked who it is. @returns `undefined` if they were
   * withdrawn meanwhile
   */
  open(unit: UnitOfWork, staffId: string, browser: string | undefined): Promise<Opened | undefined>;
  /**
   * Finds the session of a cookie, and stores that it is used.
   *
   * @param isGuess as for {@link nameOfLink}
   * @returns `undefined` if it has ended
   */
  find(secret: string, isGuess?: boolean): Promise<SessionRow | undefined>;
  /** All sessions, or those of one member of staff; the last used first. */
  list(staffId: string | undefined): Promise<SessionRow[]>;
  /** Which of these sessions have not ended. */
  liveOf(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Ends a session, only if it is of `staffId` where that is given. @returns `undefined` if there
   * is no such session
   */
  end(id: string, staffId?: string): Promise<SessionRow | undefined>;
  /** Ends the session of a cookie, if there is one: another takes its place in this browser. */
  replace(secret: string): Promise<void>;
}

/** Since when a session must have been used, and begun, that has not ended at a time. */
export function openSince(now: number): Since {
  return { used: now - IDLE_LIFE, begun: now - LONGEST_LIFE };
}

/** When a session ends if it is not used any more. */
export function endOf({ used_at, created_at }: Pick<SessionRow, "used_at" | "created_at">): number {
  return Math.min(used_at + IDLE_LIFE, created_at + LONGEST_LIFE);
}

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}

/** Creates {@link Sessions}. Their times are those of the clock that all processes share. */
export function createSessions({ database, bus, newId, onError }: Dependencies): Sessions {
  const since = () => openSince(database.now());
  const changed = () => bus.publish({ topic: "sessions" });
  const hashesIn = (table: "desk_sessions" | "sign_in_links") =>
    createKnownKeys(async () => {
      const rows = await database.db.selectFrom(table).select("hash").execute();
      return rows.map(({ hash }) => hash);
    });
  const [isSession, isLink] = [hashesIn("desk_sessions"), hashesIn("sign_in_links")];

  async function open(unit: UnitOfWork, staffId: string, agent: string | undefined) {
    const now = database.now();
    const secret = newSecret();
    const id = newId();
    const member = await unit.db
      .updateTable("staff")
      .set({ signed_in_at: now })
      .where("id", "=", staffId)
      .returning(["name", "email", "role"])
      .executeTakeFirst();
    if (member === undefined) return undefined;
    const row = { id, staff_id: staffId, browser: browserOf(agent), created_at: now, used_at: now };
    await unit.db
      .insertInto("desk_sessions")
      .values({ ...row, hash: hashOf(secret) })
      .execute();
    unit.afterCommit(changed);
    return { secret, session: { ...row, ...member } };
  }

  async function noteUse({ id, used_at }: SessionRow): Promise<void> {
    const now = database.now();
    if (now - used_at < USE_STORED_EVERY) return;
    const stored = database.db.updateTable("desk_sessions").set({ used_at: now });
    await stored.where("id", "=", id).where("used_at", "<", now).execute().catch(onError);
  }

  return {
    open,
    async nameOfLink(secret, isGuess = false) {
      if (!isSecret(secret) || (isGuess && !(await isLink(hashOf(secret))))) return undefined;
      const link = await database.db
        .selectFrom("sign_in_links")
        .innerJoin("staff", "staff.id", "sign_in_links.staff_id")
        .select("staff.name")
        .where("hash", "=", hashOf(secret))
        .where("expires_at", ">", database.now())
        .executeTakeFirst();
      return link?.name;
    },
    openByLink: async (secret, browser, isGuess = false) => {
      if (!isSecret(secret) || (isGuess && !(await isLink(hashOf(secret))))) return undefined;
      const hash = hashOf(secret);
      return database.inTransaction(async (unit) => {
        const link = await unit.db
          .selectFrom("sign_in_links")
          .select("staff_id")
          .where("hash", "=", hash)
          .executeTakeFirst();
        if (link === undefined) return undefined;
        // Of two sign-ins with one link, only one deletes it. The lock is for a withdrawal at the
        // same moment, which would fail over the new session.
        await unit.lock(lockOfStaff(link.staff_id));
        const used = await unit.db
          .deleteFrom("sign_in_links")
          .where("hash", "=", hash)
          .where("expires_at", ">", database.now())
          .returning("staff_id")
          .executeTakeFirst();
        if (used === undefined) return undefined;
        await unit.db.deleteFrom("sign_in_links").where("staff_id", "=", used.staff_id).execute();
        return open(unit, used.staff_id, browser);
      });
    },
    async find(secret, isGuess = false) {
      if (!isSecret(secret)) return undefined;
      if (isGuess && !(await isSession(hashOf(secret)))) return undefined;
      const found = await sessionsSince(database.db, since())
        .where("desk_sessions.hash", "=", hashOf(secret))
        .executeTakeFirst();
      if (found !== undefined) await noteUse(found);
      return found;
    },
    list(staffId) {
      const all = sessionsSince(database.db, since());
      const wanted =
        staffId === undefined ? all : all.where("desk_sessions.staff_id", "=", staffId);
      return wanted.orderBy("desk_sessions.used_at", "desc").orderBy("desk_sessions.id").execute();
    },
    liveOf: (ids) => liveSessions(database.db, ids, since()),
    end: (id, staffId) =>
      database.inTransaction(async (unit) => {
        const all = sessionsSince(unit.db, since()).where("desk_sessions.id", "=", id);
        const wanted =
          staffId === undefined ? all : all.where("desk_sessions.staff_id", "=", staffId);
        const session = await wanted.executeTakeFirst();
        if (session === undefined) return undefined;
        // What the session asks for at this moment waits for its end, or is done before.
        await unit.lock(lockOfStaff(session.staff_id));
        await unit.db.deleteFrom("desk_sessions").where("id", "=", id).execute();
        unit.afterCommit(changed);
        return session;
      }),
    async replace(secret) {
      const { numDeletedRows } = await database.db
        .deleteFrom("desk_sessions")
        .where("hash", "=", hashOf(secret))
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0) changed();
    },
  };
}

function browserOf(agent: string | undefined): string | null {
  const text = (agent ?? "").replaceAll(/[^\x20-\x7e]/g, "").slice(0, MAX_BROWSER);
  return text === "" ? null : text;
}
