import { createHmac } from "node:crypto";
import type { Database } from "../db/database.ts";
import { readSharedSecret } from "../db/shared-secret.ts";
import { newSecret } from "./secret.ts";

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000;

/** What a passkey must sign. */
export interface Challenge {
  readonly id: string;
  readonly challenge: string;
}

/**
 * The challenges of sign-ins with a passkey. They follow from their ids by a secret that all processes share, and are stored only when one
 * has signed in: anybody may ask for one, so asking stores nothing and needs no rate limit, which a stranger behind the same address
 * could use up.
 */
export function createSignInChallenges(database: Database) {
  let secret: Promise<Buffer> | undefined;

  async function challengeOf(id: string): Promise<string> {
    secret ??= readSharedSecret(database, "passkey-challenge-secret");
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
    /** @returns what must have been signed; `undefined` if the challenge has expired, or is none */
    async find(id: string): Promise<string | undefined> {
      const expiresAt = expiryOf(id);
      const now = database.now();
      if (expiresAt === undefined || expiresAt <= now || expiresAt > now + CHALLENGE_LIFE) return undefined;
      return challengeOf(id);
    },
  };
}

/** When a challenge expires; `undefined` if the id is none. */
export function expiryOf(id: string): number | undefined {
  const text = /^(\d{1,15})-[\w-]{43}$/.exec(id)?.[1];
  return text === undefined ? undefined : Number(text);
}
