import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { NewToken, Token, TokenRole } from "@keepsats/protocol";
import type { Bus } from "../bus/bus.ts";
import { type Clock, elapsed } from "../clock.ts";
import type { Asker } from "../db/asker.ts";
import type { Database } from "../db/database.ts";
import {
  deleteToken,
  insertToken,
  listTokens,
  lockOfToken,
  type StoredToken,
  storeUse,
} from "./token-repository.ts";

/** The name of whoever uses the token of the settings. No other token can have it. */
const SETTINGS_TOKEN = "merchant";
/**
 * How long the tokens that were read are used, in milliseconds: a withdrawn token is refused after
 * this time.
 */
const FRESH = 1_000;
/** The least time between two stored uses of one token, in milliseconds. */
const USE_STORED_EVERY = 120_000;
const BYTES = 32;

/**
 * Who makes a request: with `session` a member of staff at the desk, with `tokenId` the holder of a
 * token of the database.
 */
export interface Merchant {
  readonly name: string;
  readonly role: TokenRole;
  readonly session?: { readonly id: string; readonly staffId: string };
  readonly tokenId?: string;
}

/** The tokens of the merchant API: that of the settings, and those in the database. */
export interface MerchantTokens {
  /**
   * Finds whose token this is. It costs at most one query per {@link FRESH} milliseconds, so
   * guessing tokens does not load the database; the token of the settings costs none, and works
   * without the database.
   */
  holderOf(token: string): Promise<Merchant | undefined>;
  list(): Promise<Token[]>;
  /** Makes a token. @returns the token with its secret; `undefined` if the name is in use */
  create(token: NewToken, by: Asker): Promise<(Token & { readonly token: string }) | undefined>;
  /** @returns the withdrawn token; `undefined` if there is none with this id */
  withdraw(id: string): Promise<Token | undefined>;
  close(): void;
}

interface Dependencies {
  readonly settingsToken: string;
  readonly database: Database;
  readonly bus: Bus;
  readonly now: Clock;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}

/** Creates {@link MerchantTokens}. Other processes are told of changes over the bus. */
export function createMerchantTokens(dependencies: Dependencies): MerchantTokens {
  const { settingsToken, database, bus, now, newId, onError } = dependencies;
  const ofSettings = digest(settingsToken);
  const usedAt = new Map<string, number>();
  let known: Promise<readonly StoredToken[]> = Promise.resolve([]);
  let readAt = Number.NEGATIVE_INFINITY;

  /**
   * The stored tokens, read at most {@link FRESH} milliseconds ago. A failed read is not repeated
   * sooner either.
   */
  function fresh(): Promise<readonly StoredToken[]> {
    if (elapsed() - readAt < FRESH) return known;
    readAt = elapsed();
    known = listTokens(database.db);
    known.catch(() => {}); // Whoever waits for the tokens handles it.
    return known;
  }

  async function noteUse({ id, used_at }: StoredToken): Promise<void> {
    const at = now();
    if (at - (usedAt.get(id) ?? used_at ?? 0) < USE_STORED_EVERY) return;
    usedAt.set(id, at);
    await storeUse(database.db, id, at).catch(onError);
  }

  function changed(): void {
    bus.publish({ topic: "tokens" });
  }

  const unsubscribe = bus.subscribe(({ topic }) => {
    if (topic === "tokens" || topic === "gap") readAt = Number.NEGATIVE_INFINITY;
  });
  return {
    async holderOf(token) {
      const given = digest(token);
      if (timingSafeEqual(given, ofSettings)) return { name: SETTINGS_TOKEN, role: "owner" };
      // All are compared, so that the time does not tell how many come before the right one.
      const matching = (await fresh()).filter(({ hash }) =>
        timingSafeEqual(given, Buffer.from(hash, "base64url")),
      );
      const [found] = matching;
      if (found === undefined) return undefined;
      await noteUse(found);
      return { name: found.name, role: found.role, tokenId: found.id };
    },
    list: () => listTokens(database.db),
    async create({ name, role }, by) {
      if (name.toLowerCase() === SETTINGS_TOKEN) return undefined;
      const token = `keepsats_${randomBytes(BYTES).toString("base64url")}`;
      const stored = { id: newId(), name, role, created_by: by.name, created_at: now() };
      const isStored = await database.inTransaction(async (unit) => {
        await by.hold(unit);
        unit.afterCommit(changed);
        return insertToken(unit, { ...stored, hash: digest(token).toString("base64url") });
      });
      return isStored ? { ...stored, used_at: null, token } : undefined;
    },
    withdraw: (id) =>
      database.inTransaction(async (unit) => {
        await unit.lock(lockOfToken(id));
        unit.afterCommit(changed);
        return deleteToken(unit, id);
      }),
    close: unsubscribe,
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
