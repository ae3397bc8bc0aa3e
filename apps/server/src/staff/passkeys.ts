import type { Passkey } from "@keepsats/protocol";
import type { Database, UnitOfWork } from "../db/database.ts";
import { createKnownKeys } from "./known-keys.ts";
import { isSecret, newSecret } from "./secret.ts";
import type { SessionRow } from "./session-repository.ts";
import type { Opened, Sessions } from "./sessions.ts";
import {
  CHALLENGE_LIFE,
  type Challenge,
  createSignInChallenges,
  expiryOf,
} from "./sign-in-challenges.ts";
import { lockOfStaff } from "./staff-repository.ts";

/** The most passkeys of one member of staff. */
export const MAX_PASSKEYS = 20;

/** A passkey as it is checked; `credential_id` and `public_key` (COSE) are base64url. */
export interface Credential {
  readonly credential_id: string;
  readonly public_key: string;
  /** How often it has signed; always 0 for passkeys that do not count. */
  readonly counter: number;
}

/** The session of whoever adds a passkey. */
type OwnSession = Pick<SessionRow, "id" | "staff_id">;

/**
 * The passkeys of the staff. What they sign is checked by the caller, who calls with what it found.
 */
export interface Passkeys {
  list(staffId: string): Promise<Passkey[]>;
  /** The credential ids of a member of staff, so that no device is added twice. */
  credentialsOf(staffId: string): Promise<string[]>;
  /** Creates a challenge for registering a passkey. */
  newChallenge(staffId: string): Promise<Challenge>;
  /**
   * Consumes such a challenge. @returns the text to be signed; `undefined` if it is unknown, used
   * or expired
   */
  takeChallenge(id: string, staffId: string): Promise<string | undefined>;
  readonly signInChallenges: ReturnType<typeof createSignInChallenges>;
  /**
   * Adds a passkey to whoever is signed in.
   *
   * @returns `undefined` if the session has ended, they have too many, or the passkey is known
   *   already
   */
  add(session: OwnSession, name: string, credential: Credential): Promise<Passkey | undefined>;
  /**
   * Gives a passkey of a member of staff another name. @returns `undefined` if they have none with
   * this id
   */
  rename(staffId: string, id: string, name: string): Promise<Passkey | undefined>;
  /**
   * Removes a passkey, only if it is of `staffId` where that is given. @returns `undefined` if
   * there is no such passkey
   */
  remove(id: string, staffId?: string): Promise<Passkey | undefined>;
  /** Finds a passkey by its credential id. @param isGuess see {@link Sessions.find} */
  find(
    credentialId: string,
    isGuess?: boolean,
  ): Promise<(Credential & { readonly id: string }) | undefined>;
  /**
   * Begins the session of a passkey whose signature was right.
   *
   * @param signed the passkey's new count and the id of the signed challenge
   * @returns `undefined` if the passkey was removed, or another sign-in used the same count or
   *   challenge
   */
  signIn(
    passkey: Credential & { readonly id: string },
    signed: { readonly counter: number; readonly challengeId: string },
    browser: string | undefined,
  ): Promise<Opened | undefined>;
}

interface Dependencies {
  readonly database: Database;
  readonly newId: () => string;
  readonly sessions: Pick<Sessions, "open">;
}

const shown = ["id", "name", "created_at", "used_at"] as const;

/** Creates {@link Passkeys}. */
export function createPasskeys({ database, newId, sessions }: Dependencies): Passkeys {
  const { db, now } = database;
  const isKnown = createKnownKeys(async () => {
    const rows = await db.selectFrom("passkeys").select("credential_id").execute();
    return rows.map(({ credential_id }) => credential_id);
  });
  return {
    signInChallenges: createSignInChallenges(database),
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
    async newChallenge(staffId) {
      const made = { id: newSecret(), challenge: newSecret() };
      const row = { ...made, staff_id: staffId, expires_at: now() + CHALLENGE_LIFE };
      await db.insertInto("passkey_challenges").values(row).execute();
      return made;
    },
    async takeChallenge(id, staffId) {
      if (!isSecret(id)) return undefined;
      const taken = await db
        .deleteFrom("passkey_challenges")
        .where("id", "=", id)
        .where("staff_id", "=", staffId)
        .where("expires_at", ">", now())
        .returning("challenge")
        .executeTakeFirst();
      return taken?.challenge;
    },
    add: ({ id: sessionId, staff_id: staffId }, name, credential) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfStaff(staffId));
        const session = unit.db
          .selectFrom("desk_sessions")
          .select("id")
          .where("id", "=", sessionId);
        const known = unit.db.selectFrom("passkeys").select("id").where("staff_id", "=", staffId);
        if ((await session.executeTakeFirst()) === undefined) return undefined;
        if ((await known.execute()).length >= MAX_PASSKEYS) return undefined;
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
    async find(credentialId, isGuess = false) {
      if (isGuess && !(await isKnown(credentialId))) return undefined;
      return db
        .selectFrom("passkeys")
        .select(["id", "credential_id", "public_key", "counter"])
        .where("credential_id", "=", credentialId)
        .executeTakeFirst();
    },
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

/** Marks a challenge as used. @returns whether this is its first use */
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
