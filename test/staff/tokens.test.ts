import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callerFor } from "../../apps/server/src/modules/staff/authorize.ts";
import {
  lockOfToken,
  type Principal,
  system,
  UnauthorizedError,
} from "../../apps/server/src/modules/staff/principal.ts";
import { createApiTokens, deleteToken } from "../../apps/server/src/modules/staff/tokens.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

const ADMIN_TOKEN = "the-token-of-the-environment";

/** The tokens as one process sees them. */
function processOn(database: Database, now = database.now) {
  const onError = (error: unknown) => {
    throw error;
  };
  const platform = { database: { ...database, now }, newId: randomUUID, onError };
  return createApiTokens(platform, ADMIN_TOKEN);
}

describe.each(databaseKinds)("tokens on $name", (kind) => {
  const shop = useDatabase(kind);
  const named = () => `till ${randomUUID()}`;

  test("work in all processes, with the role that they were created for", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.secondConnection)];
    expect(await one.authenticate(ADMIN_TOKEN)).toEqual({ name: "admin", role: "owner" });
    const name = named();
    const created = await one.create({ name, role: "staff" }, system);
    expect(await one.authenticate(created?.token ?? "")).toEqual({
      name,
      role: "staff",
      tokenId: created?.id,
    });
    expect(await other.authenticate(created?.token ?? "")).toEqual({
      name,
      role: "staff",
      tokenId: created?.id,
    });
    expect(await other.authenticate(`${created?.token}x`)).toBeUndefined();
    expect(await other.authenticate("")).toBeUndefined();
  });

  test("are refused by all processes once they are revoked", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.secondConnection)];
    const created = await one.create({ name: named(), role: "owner" }, system);
    const token = created?.token ?? "";
    expect(await other.authenticate(token)).toBeDefined();
    expect(await one.revoke(created?.id ?? "")).toMatchObject({ id: created?.id });
    expect(await one.authenticate(token)).toBeUndefined();
    expect(await other.authenticate(token)).toBeUndefined();
    expect(await one.revoke(created?.id ?? "")).toBeUndefined();
  });

  test("that are being revoked change nothing: the second request waits and is refused", async () => {
    const [one, other] = [processOn(shop.database), processOn(shop.secondConnection)];
    const { id = "" } = (await one.create({ name: named(), role: "owner" }, system)) ?? {};
    const principal: Principal = { name: "x", role: "owner", tokenId: id };
    const [deleted, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const revoking = shop.secondConnection.inTransaction(async (unit) => {
      await unit.lock(lockOfToken(id));
      await deleteToken(unit, id);
      deleted.resolve();
      await go.promise;
    });
    await deleted.promise;
    const name = named();
    const creating = one
      .create({ name, role: "owner" }, callerFor(principal))
      .catch((error: unknown) => error);
    go.resolve();
    await revoking;
    expect(await creating).toBeInstanceOf(UnauthorizedError);
    expect((await other.list()).map((token) => token.name)).not.toContain(name);
  });

  test("have unique names, also when several processes create them at once", async () => {
    const name = named();
    const made = await Promise.all(
      [shop.database, shop.secondConnection, shop.database].map((database) =>
        processOn(database).create({ name, role: "staff" }, system),
      ),
    );
    expect(made.filter((token) => token !== undefined)).toHaveLength(1);
    expect(
      await processOn(shop.database).create({ name: "Admin", role: "owner" }, system),
    ).toBeUndefined();
  });

  test("are stored as hashes", async () => {
    const created = await processOn(shop.database).create({ name: named(), role: "staff" }, system);
    const rows = JSON.stringify(await shop.testDatabase.run("SELECT * FROM tokens"));
    expect(rows).toContain(created?.name);
    expect(rows).not.toContain(created?.token.slice(-30));
  });

  test("record roughly when they were last used", async () => {
    let now = 1_000_000;
    const tokens = processOn(shop.database, () => now);
    const created = await tokens.create({ name: named(), role: "staff" }, system);
    const usedAt = async () => (await tokens.list()).find(({ id }) => id === created?.id)?.used_at;
    expect(await usedAt()).toBeNull();
    await tokens.authenticate(created?.token ?? "");
    expect(await usedAt()).toBe(now);
    now += 60_000;
    await tokens.authenticate(created?.token ?? "");
    expect(await usedAt()).toBe(now - 60_000);
    now += 60_000;
    await tokens.authenticate(created?.token ?? "");
    expect(await usedAt()).toBe(now);
  });
});
