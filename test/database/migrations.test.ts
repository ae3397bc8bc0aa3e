import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { type Database, DatabaseUnusable } from "../../apps/server/src/db/database.ts";
import { findLoan } from "../../apps/server/src/payments/loan-repository.ts";
import { type DatabasePlace, databaseKinds } from "../harness/databases.ts";

describe.each(databaseKinds)("migrations on $name", ({ migrations, newPlace }) => {
  let place: DatabasePlace;
  const opened: Database[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await place.remove();
  });
  const open = async () => {
    const database = await place.open();
    opened.push(database);
    return database;
  };

  test("create the tables of an empty database once, even if many processes start at once", async () => {
    place = await newPlace();
    const databases = await Promise.all(Array.from({ length: 10 }, open));
    for (const database of databases) await database.check();
  });

  test("update a database of every earlier version and keep its data", async () => {
    const newer = {
      version: migrations.length + 1,
      name: "newer",
      sql: "ALTER TABLE facts ADD COLUMN note text",
    };
    const all = [...migrations, newer];
    for (const { version } of migrations) {
      place = await newPlace();
      await place.migrate(all.slice(0, version));
      await place.run("INSERT INTO facts (name, value) VALUES ('kept', 'yes')");
      await place.migrate(all);
      expect(await place.run("SELECT * FROM facts")).toEqual([
        { name: "kept", value: "yes", note: null },
      ]);
      await place.migrate(all);
    }
  });

  test("set for loans of earlier versions whether they were extended", async () => {
    place = await newPlace();
    await place.migrate(migrations.slice(0, 4));
    const id = randomUUID();
    await place.run(
      `INSERT INTO orders VALUES ('${id}', 'PaymentProcessed', 2, 0, 'Ada', 'ada@example.org', '{}', '{}', 4500, 1)`,
    );
    for (const status of ["Extended", "PrincipalGiven"])
      await place.run(
        `INSERT INTO contracts VALUES ('${status}', '${id}', '${status}', 'paid', 1, 1, 4500, NULL)`,
      );
    await place.migrate(migrations);
    const { db } = await open();
    expect((await findLoan(db, "Extended"))?.wasExtended).toBe(true);
    expect((await findLoan(db, "PrincipalGiven"))?.wasExtended).toBe(false);
  });

  test("record a mismatch for orders that an earlier version took as paid because of a dispute", async () => {
    place = await newPlace();
    await place.migrate(migrations.slice(0, 1));
    const [disputed, paid] = [randomUUID(), randomUUID()];
    for (const [id, status] of [
      [disputed, "DisputeBorrowerStarted"],
      [paid, "PrincipalGiven"],
    ]) {
      await place.run(
        `INSERT INTO orders VALUES ('${id}', 'PaymentProcessed', 2, 0, 'Ada', 'ada@example.org', '{}', '{}', 4500, 1)`,
      );
      await place.run(`INSERT INTO contracts VALUES ('c-${id}', '${id}', 'Closed', 'paid', 1, 1)`);
      await place.run(
        `INSERT INTO order_events VALUES ('${id}', 2, 'Pending', 'PaymentProcessed', 'provider', 'contract c-${id}: ${status}', 7)`,
      );
    }
    await place.migrate(migrations);
    expect(await place.run("SELECT contract_id, order_id, kind FROM mismatches")).toEqual([
      { contract_id: `c-${disputed}`, order_id: disputed, kind: "dispute" },
    ]);
  });

  test("that fail are rolled back", async () => {
    place = await newPlace();
    const broken = {
      version: 1,
      name: "broken",
      sql: "CREATE TABLE half (a integer); SELECT * FROM nowhere",
    };
    await expect(place.migrate([broken])).rejects.toThrow(/nowhere/);
    await expect(place.run("SELECT * FROM half")).rejects.toThrow(/half/);
    await (await open()).check();
  });

  test("refuse a database of a newer version and leave it unchanged", async () => {
    place = await newPlace();
    await place.migrate(migrations);
    await place.setVersion(1_000);
    await expect(place.open()).rejects.toThrow(DatabaseUnusable);
    await expect(place.open()).rejects.toThrow(/version 1000, made by a newer Keepsats/);
  });
});
