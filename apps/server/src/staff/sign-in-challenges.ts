import { createHmac } from "node:crypto";
import type { Database } from "../db/database.ts";
import { readSharedSecret } from "../db/facts.ts";
import { newSecret } from "./secret.ts";

/** The lifetime of a challenge, in milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000;

/** A challenge for a passkey to sign. */
export interface Challenge {
  readonly id: string;
  readonly challenge: string;
}

/**
 * The challenges of passkey sign-ins. Each is derived from its id with a secret that all processes
 * share, and stored only when it is used. A request for one stores nothing, so it needs no rate
 * limit that a stranger behind the same address could exhaust.
 */
export function createSignInChallenges(database: Database) {
  let secret: Promise<Buffer> | undefined;

  async function challengeOf(id: string): Promise<string> {
    secret ??= readSharedSecret(database.db, "passkey-challenge-secret");
    secret.catch(() => {
      secret = undefined;
    });
    return createHmac("sha256", await secret)
      .update(id)
      .digest("base64url");
  }

  return {
    async make(): Promise<Challenge> {
      const id = `${database.now() + CHALLENGE_LIFE}-${newSecret()}`;
      return { id, challenge: await challengeOf(id) };
    },
    /** @returns the text to be signed; `undefined` if the id is invalid or expired */
    async find(id: string): Promise<string | undefined> {
      const expiresAt = expiryOf(id);
      const now = database.now();
      if (expiresAt === undefined || expiresAt <= now || expiresAt > now + CHALLENGE_LIFE)
        return undefined;
      return challengeOf(id);
    },
  };
}

/** When a challenge expires; `undefined` if the id is invalid. */
export function expiryOf(id: string): number | undefined {
  const text = /^(\d{1,15})-[\w-]{43}$/.exec(id)?.[1];
  return text === undefined ? undefined : Number(text);
}
