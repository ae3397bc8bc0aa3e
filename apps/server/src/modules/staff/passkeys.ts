import { createHmac } from "node:crypto";
import type { Passkey } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../../platform/database/database.ts";
import { readSharedSecret } from "../../platform/database/key-values.ts";
import { MINUTE } from "../../platform/scheduling/clock.ts";
import { newSecret } from "../../platform/secrets.ts";
import type { SessionRow } from "./session-repository.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { lockOfStaff } from "./staff-members.ts";

/** The most passkeys of one member of staff. */
export const MAX_PASSKEYS = 20;
/** The lifetime of a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** The WebAuthn credential of a passkey; `credential_id` and `public_key` (COSE) are base64url. */
export interface Credential {
  readonly credential_id: string;
  readonly public_key: string;
  /** The signature counter; always 0 for passkeys that do not count. */
  readonly counter: number;
}

/** A stored credential. */
interface StoredCredential extends Credential {
  readonly id: string;
}

/** A new passkey with its name, and the challenge that it has signed. */
interface NewPasskey {
  readonly name: string;
  readonly credential: Credential;
  readonly challengeId: string;
}

/** A challenge for a passkey to sign. */
interface Challenge {
  readonly id: string;
  readonly challenge: string;
}

/** The passkeys of all staff. The caller verifies signatures before it calls. */
export interface Passkeys {
  list(staffId: string): Promise<Passkey[]>;
  /** The credential ids of a member of staff, so that no device is registered twice. */
  credentialsOf(staffId: string): Promise<string[]>;
  readonly challenges: ReturnType<typeof createChallenges>;
  /**
   * Registers a passkey for the member of a session.
   *
   * @returns `undefined` if the session has ended, the member has {@link MAX_PASSKEYS}, the
   *   challenge was used before, or the credential is already registered
   */
  add(
    session: Pick<SessionRow, "id" | "staff_id">,
    passkey: NewPasskey,
  ): Promise<Passkey | undefined>;
  /** @returns `undefined` if the member has no passkey with this id */
  rename(staffId: string, id: string, name: string): Promise<Passkey | undefined>;
  /**
   * Removes a passkey; with `staffId` only one of that member.
   *
   * @returns the removed passkey; `undefined` if there is no such passkey
   */
  remove(id: string, staffId?: string): Promise<Passkey | undefined>;
  find(credentialId: string): Promise<StoredCredential | undefined>;
  /**
   * Opens a session with a passkey whose signature was verified.
   *
   * @param signed the new signature counter, and the id of the signed challenge
   * @returns `undefined` if the passkey was removed, or another sign-in used the same counter or
   *   challenge
   */
  signIn(
    passkey: StoredCredential,
    signed: { readonly counter: number; readonly challengeId: string },
    browser: string | undefined,
  ): Promise<NewSession | undefined>;
}

interface Dependencies {
  readonly database: Database;
  readonly newId: () => string;
  readonly sessions: Pick<Sessions, "open">;
}

const shown = ["id", "name", "created_at", "used_at"] as const;

export function createPasskeys({ database, newId, sessions }: Dependencies): Passkeys {
  const { db, now } = database;
  return {
    challenges: createChallenges(database),
    list: (staffId) =>
      db
        .selectFrom("passkeys")
        .select(shown)
        .where("staff_id", "=", staffId)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
    async credentialsOf(staffId) {
      const rows = db
        .selectFrom("passkeys")
        .select("credential_id")
        .where("staff_id", "=", staffId);
      return (await rows.execute()).map(({ credential_id }) => credential_id);
    },
    add: ({ id: sessionId, staff_id: staffId }, { name, credential, challengeId }) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfStaff(staffId));
        const session = unit.db
          .selectFrom("staff_sessions")
          .select("id")
          .where("id", "=", sessionId);
        const known = unit.db.selectFrom("passkeys").select("id").where("staff_id", "=", staffId);
        if ((await session.executeTakeFirst()) === undefined) return undefined;
        if ((await known.execute()).length >= MAX_PASSKEYS) return undefined;
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
    rename: (staffId, id, name) =>
      db
        .updateTable("passkeys")
        .set({ name })
        .where("id", "=", id)
        .where("staff_id", "=", staffId)
        .returning(shown)
        .executeTakeFirst(),
    remove(id, staffId) {
      const all = db.deleteFrom("passkeys").where("id", "=", id);
      const wanted = staffId === undefined ? all : all.where("staff_id", "=", staffId);
      return wanted.returning(shown).executeTakeFirst();
    },
    find: (credentialId) =>
      db
        .selectFrom("passkeys")
        .select(["id", "credential_id", "public_key", "counter"])
        .where("credential_id", "=", credentialId)
        .executeTakeFirst(),
    signIn: ({ id, counter: before }, { counter, challengeId }, browser) =>
      database.inTransaction(async (unit) => {
        const owner = unit.db.selectFrom("passkeys").select("staff_id").where("id", "=", id);
        const found = await owner.executeTakeFirst();
        if (found === undefined) return undefined;
        await unit.lock(lockOfStaff(found.staff_id));
        if (!(await useUp(unit, challengeId))) return undefined;
        const used = await unit.db
          .updateTable("passkeys")
          .set({ counter, used_at: now() })
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
  let secret: Promise<Buffer> | undefined;

  async function challengeOf(id: string, staffId: string | undefined): Promise<string> {
    secret ??= readSharedSecret(database.db, "passkey-challenge-secret");
    secret.catch(() => {
      secret = undefined;
    });
    return createHmac("sha256", await secret)
      .update(staffId === undefined ? id : `${id} ${staffId}`)
      .digest("base64url");
  }

  return {
    /** @param staffId the member who registers a passkey; `undefined` for a sign-in */
    async create(staffId?: string): Promise<Challenge> {
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
