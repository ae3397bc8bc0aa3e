import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Database,
  DatabaseUnusable,
} from "../../apps/server/src/platform/database/database.ts";
import { databaseKinds, type TestDatabase, withMigration } from "../harness/databases.ts";

describe.each(databaseKinds)("migrations on $name", (kind) => {
  let testDatabase: TestDatabase;
  const opened: Database[] = [];
  beforeEach(async () => {
    testDatabase = await kind.newTestDatabase();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await testDatabase.remove();
  });
  const open = async () => {
    const database = await testDatabase.open();
    opened.push(database);
    return database;
  };
  const addNote = withMigration(kind, "ALTER TABLE key_values ADD COLUMN note text");
  const edited = (edit: (sql: string) => string) =>
    kind.migrations.map((migration) =>
      migration.version === 1 ? { ...migration, sql: edit(migration.sql) } : migration,
    );

  test("create the tables of an empty database once, even if many processes start at once", async () => {
    const databases = await Promise.all(Array.from({ length: 10 }, open));
    for (const database of databases) await database.check();
  });

  test("update a database of each version and keep its data", async () => {
    const all = [
      ...addNote,
      {
        version: addNote.length + 1,
        name: "fill-note",
        sql: "UPDATE key_values SET note = name || value",
      },
    ];
    const filled = [
      { name: "first", value: "1", note: "first1" },
      { name: "second", value: "2", note: "second2" },
    ];
    await testDatabase.migrate(kind.migrations);
    await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('first', '1')");
    await testDatabase.migrate(addNote);
    await testDatabase.run("INSERT INTO key_values (name, value) VALUES ('second', '2')");
    for (let times = 0; times < 2; times += 1) {
      await testDatabase.migrate(all);
      expect(
        await testDatabase.run("SELECT name, value, note FROM key_values ORDER BY name"),
      ).toEqual(filled);
    }
  });

  test("that fail are rolled back", async () => {
    const broken = {
      version: 1,
      name: "broken",
      sql: "CREATE TABLE half (a integer); SELECT * FROM nowhere",
    };
    await expect(testDatabase.migrate([broken])).rejects.toThrow(/nowhere/);
    await expect(testDatabase.run("SELECT * FROM half")).rejects.toThrow(/half/);
    await (await open()).check();
  });

  test("refuse a database of a newer version and leave it unchanged", async () => {
    await testDatabase.migrate(addNote);
    await expect(testDatabase.open()).rejects.toThrow(DatabaseUnusable);
    await expect(testDatabase.open()).rejects.toThrow(
      new RegExp(`version ${addNote.length}, made by a newer Keepsats`),
    );
    await testDatabase.run("SELECT note FROM key_values");
  });

  test("refuse a database whose schema has other statements, but not other comments", async () => {
    await testDatabase.migrate(edited((sql) => `-- once more\n\n${sql}`));
    await (await open()).check();
    const other = await kind.newTestDatabase();
    await other.migrate(edited((sql) => `${sql}\nCREATE TABLE gifts (id text PRIMARY KEY);`));
    await expect(other.open()).rejects.toThrow(DatabaseUnusable);
    await expect(other.open()).rejects.toThrow(
      /^the database was made by an unreleased Keepsats with another schema; use an empty one/,
    );
    await other.remove();
  });

  test("refuse a database from before 1.0.0 and leave it unchanged", async () => {
    await testDatabase.run("CREATE TABLE orders (id text PRIMARY KEY)");
    await expect(testDatabase.open()).rejects.toThrow(DatabaseUnusable);
    await expect(testDatabase.open()).rejects.toThrow(/made by a Keepsats before 1\.0\.0/);
    await expect(testDatabase.run("SELECT * FROM schema_migrations")).rejects.toThrow(
      /schema_migrations/,
    );
  });
});
