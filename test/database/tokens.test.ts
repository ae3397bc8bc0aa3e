import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { itself, NotLetIn } from "../../apps/server/src/db/asker.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import { askerFor } from "../../apps/server/src/merchant-api/let-in.ts";
import { deleteToken, lockOfToken } from "../../apps/server/src/merchant-api/token-repository.ts";
import { createMerchantTokens, type Merchant } from "../../apps/server/src/merchant-api/tokens.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { waitFor } from "../harness/wait-for.ts";

const SETTINGS = "the-token-of-the-settings";

/**
 * The tokens as one process sees them. Its bus is its own, as if the bus between the processes were
 * down.
 */
function processOn(database: Database, now = database.now) {
  return createMerchantTokens({
    settingsToken: SETTINGS,
    database,
    bus: createInProcessBus(),
    now,
    newId: randomUUID,
    onError: (error) => {
      throw error;
    },
  });
}

/** A database that counts the reads of its tokens. */
function counted(database: Database): { database: Database; reads: () => number } {
  let reads = 0;
  const db = new Proxy(database.db, {
    get(target, name) {
      if (name === "selectFrom") reads += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { database: { ...database, now: database.now, db }, reads: () => reads };
}

describe.each(databaseKinds)("tokens on $name", (kind) => {
  const shop = useDatabase(kind);
  const named = () => `till ${randomUUID()}`;

  test("open for their holder in all processes, with the role that they were made for", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.other)];
    expect(await one.holderOf(SETTINGS)).toEqual({ name: "merchant", role: "owner" });
    const name = named();
    const created = await one.create({ name, role: "staff" }, itself);
    expect(await one.holderOf(created?.token ?? "")).toEqual({
      name,
      role: "staff",
      tokenId: created?.id,
    });
    expect(await other.holderOf(created?.token ?? "")).toEqual({
      name,
      role: "staff",
      tokenId: created?.id,
    });
    expect(await other.holderOf(`${created?.token}x`)).toBeUndefined();
    expect(await other.holderOf("")).toBeUndefined();
  });

  test("are refused by all processes after they are withdrawn, even if the bus tells nobody", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.other)];
    const created = await one.create({ name: named(), role: "owner" }, itself);
    const token = created?.token ?? "";
    expect(await other.holderOf(token)).toBeDefined();
    expect(await one.withdraw(created?.id ?? "")).toMatchObject({ id: created?.id });
    expect(await one.holderOf(token)).toBeUndefined();
    await waitFor(
      "the other process",
      async () => (await other.holderOf(token)) === undefined,
      5_000,
    );
    expect(await one.withdraw(created?.id ?? "")).toBeUndefined();
  });

  test("that are being withdrawn make nothing: whoever comes second waits and is refused", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.other)];
    const { id = "" } = (await one.create({ name: named(), role: "owner" }, itself)) ?? {};
    const merchant: Merchant = { name: "x", role: "owner", tokenId: id };
    const [deleted, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const withdrawing = shop.other.inTransaction(async (unit) => {
      await unit.lock(lockOfToken(id));
      await deleteToken(unit, id);
      deleted.resolve();
      await go.promise;
    });
    await deleted.promise;
    const name = named();
    const creating = one
      .create({ name, role: "owner" }, askerFor(merchant))
      .catch((error: unknown) => error);
    go.resolve();
    await withdrawing;
    expect(await creating).toBeInstanceOf(NotLetIn);
    expect((await other.list()).map((token) => token.name)).not.toContain(name);
  });

  test("have a name of their own, also when several processes make them at once", async () => {
    const name = named();
    const made = await Promise.all(
      [shop.database, shop.other, shop.database].map((database) =>
        processOn(database).create({ name, role: "staff" }, itself),
      ),
    );
    expect(made.filter((token) => token !== undefined)).toHaveLength(1);
    expect(
      await processOn(shop.database).create({ name: "Merchant", role: "owner" }, itself),
    ).toBeUndefined();
  });

  test("are stored as hashes", async () => {
    const created = await processOn(shop.database).create({ name: named(), role: "staff" }, itself);
    const rows = JSON.stringify(await shop.place.run("SELECT * FROM tokens"));
    expect(rows).toContain(created?.name);
    expect(rows).not.toContain(created?.token.slice(-30));
  });

  test("that are guessed cost a query a second at most", async () => {
    const { database, reads } = counted(shop.database);
    const tokens = processOn(database);
    const begun = performance.now();
    for (let guess = 0; guess < 500; guess += 1) await tokens.holderOf(`guess ${guess}`);
    expect(reads()).toBeGreaterThan(0);
    expect(reads()).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1_000);
  });

  test("remember roughly when they were used", async () => {
    let now = 1_000_000;
    const tokens = processOn(shop.database, () => now);
    const created = await tokens.create({ name: named(), role: "staff" }, itself);
    const usedAt = async () => (await tokens.list()).find(({ id }) => id === created?.id)?.used_at;
    expect(await usedAt()).toBeNull();
    await tokens.holderOf(created?.token ?? "");
    expect(await usedAt()).toBe(now);
    now += 60_000;
    await tokens.holderOf(created?.token ?? "");
    expect(await usedAt()).toBe(now - 60_000);
    now += 60_000;
    await tokens.holderOf(created?.token ?? "");
    expect(await usedAt()).toBe(now);
  });
});
