import { createHmac } from "node:crypto";
import type { Database, UnitOfWork } from "../../platform/database/database.ts";
import { readSharedSecret } from "../../platform/database/key-values.ts";
import type { Platform } from "../../platform/platform.ts";
import { MINUTE } from "../../platform/scheduling/clock.ts";
import { newSecret } from "../../platform/secrets.ts";
import { lockOfStaff } from "./principal.ts";
import type { SessionRow } from "./session-repository.ts";
import type { Sessions } from "./sessions.ts";

/** The lifetime of a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** The WebAuthn credential of a passkey; `credential_id` and `public_key` (COSE) are base64url. */
export interface Credential {
  readonly credential_id: string;
  readonly public_key: string;
  /** The signature counter; always 0 for passkeys that do not count. */
  readonly counter: number;
}

/** A new passkey with its name, and the challenge that it has signed. */
interface NewPasskey {
  readonly name: string;
  readonly credential: Credential;
  readonly challengeId: string;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

const shown = ["id", "name", "created_at", "used_at"] as const;

/** The passkeys of all staff. The caller verifies signatures before it calls. */
export function createPasskeys(
  { database, newId }: Pick<Platform, "database" | "newId">,
  sessions: Pick<Sessions, "open">,
) {
  const { db, now } = database;
  return {
    challenges: createChallenges(database),

    list: (staffId: string) =>
      db
        .selectFrom("passkeys")
        .select(shown)
        .where("staff_id", "=", staffId)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),

    /** The credential ids of a member of staff, so that no device is registered twice. */
    async credentialsOf(staffId: string): Promise<string[]> {
      const rows = db
        .selectFrom("passkeys")
        .select("credential_id")
        .where("staff_id", "=", staffId);
      return (await rows.execute()).map(({ credential_id }) => credential_id);
    },

    /**
     * Registers a passkey for the member of a session. Returns `undefined` if the session has ended,
     * the challenge was used before, or the credential is already registered.
     */
    add: (
      { id: sessionId, staff_id: staffId }: Pick<SessionRow, "id" | "staff_id">,
      { name, credential, challengeId }: NewPasskey,
    ) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfStaff(staffId));
        const session = unit.db
          .selectFrom("staff_sessions")
          .select("id")
          .where("id", "=", sessionId);
        if ((await session.executeTakeFirst()) === undefined) return undefined;
        if (!(await useUp(unit, challengeId))) return undefined;
        return unit.db
          .insertInto("passkeys")
          .values({
            ...credential,
            id: newId(),
            staff_id: staffId,
            name,
            created_at: now(),
            used_at: null,
          })
          .onConflict((conflict) => conflict.column("credential_id").doNothing())
          .returning(shown)
          .executeTakeFirst();
      }),

    /** Returns `undefined` if the member has no passkey with this id. */
    rename: (staffId: string, id: string, name: string) =>
      db
        .updateTable("passkeys")
        .set({ name })
        .where("id", "=", id)
        .where("staff_id", "=", staffId)
        .returning(shown)
        .executeTakeFirst(),

    /** Removes a passkey, with `staffId` only one of that member, and returns it if there was one. */
    remove(id: string, staffId?: string) {
      const all = db.deleteFrom("passkeys").where("id", "=", id);
      const wanted = staffId === undefined ? all : all.where("staff_id", "=", staffId);
      return wanted.returning(shown).executeTakeFirst();
    },

    find: (credentialId: string) =>
      db
        .selectFrom("passkeys")
        .select(["id", "credential_id", "public_key", "counter"])
        .where("credential_id", "=", credentialId)
        .executeTakeFirst(),

    /**
     * Opens a session with a passkey whose signature was verified. Returns `undefined` if the passkey
     * was removed, or another sign-in used the same counter or challenge.
     *
     * @param signed the new signature counter, and the id of the signed challenge
     */
    signIn: (
      { id, counter: before }: { readonly id: string; readonly counter: number },
      signed: { readonly counter: number; readonly challengeId: string },
      browser: string | undefined,
    ) =>
      database.inTransaction(async (unit) => {
        const owner = unit.db.selectFrom("passkeys").select("staff_id").where("id", "=", id);
        const found = await owner.executeTakeFirst();
        if (found === undefined) return undefined;
        await unit.lock(lockOfStaff(found.staff_id));
        if (!(await useUp(unit, signed.challengeId))) return undefined;
        const used = await unit.db
          .updateTable("passkeys")
          .set({ counter: signed.counter, used_at: now() })
          .where("id", "=", id)
          .where("counter", "=", before)
          .returning("staff_id")
          .executeTakeFirst();
        return used === undefined ? undefined : sessions.open(unit, used.staff_id, browser);
      }),
  };
}

/**
 * The challenges of sign-ins, and of new passkeys of one member of staff. Each is derived from its
 * id with a secret that all processes share, and stored only when it is used. A request for one
 * stores nothing, so it needs no rate limit that a stranger behind the same address could exhaust.
 */
function createChallenges(database: Database) {
  async function challengeOf(id: string, staffId: string | undefined): Promise<string> {
    const secret = await readSharedSecret(database.db, "passkey-challenge-secret");
    return createHmac("sha256", secret)
      .update(staffId === undefined ? id : `${id} ${staffId}`)
      .digest("base64url");
  }

  return {
    /** @param staffId the member who registers a passkey; `undefined` for a sign-in */
    async create(staffId?: string) {
      const id = `${database.now() + CHALLENGE_LIFETIME}-${newSecret()}`;
      return { id, challenge: await challengeOf(id, staffId) };
    },
    /**
     * @param staffId as for `create`; with any other value the challenge is another one
     * @returns the challenge to be signed; `undefined` if the id is invalid or expired
     */
    async find(id: string, staffId?: string): Promise<string | undefined> {
      const expiresAt = expiryOf(id);
      const now = database.now();
      if (expiresAt === undefined || expiresAt <= now || expiresAt > now + CHALLENGE_LIFETIME)
        return undefined;
      return challengeOf(id, staffId);
    },
  };
}

/** When a challenge expires; `undefined` if its id is invalid. */
function expiryOf(id: string): number | undefined {
  const text = /^(\d{1,15})-[\w-]{43}$/.exec(id)?.[1];
  return text === undefined ? undefined : Number(text);
}

/** Marks a challenge as used. Returns whether this is its first use. */
async function useUp(unit: UnitOfWork, challengeId: string): Promise<boolean> {
  const expires_at = expiryOf(challengeId);
  if (expires_at === undefined) return false;
  const stored = await unit.db
    .insertInto("passkey_challenges")
    .values({ id: challengeId, challenge: "", staff_id: null, expires_at })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}
