import pg from "pg";
import { expect, inject, test } from "vitest";
import { openPostgres } from "../apps/server/src/db/postgres.ts";
import { newDatabase } from "./harness/postgres.ts";
import { startFaultProxy, throughProxy } from "./harness/proxy.ts";
import { waitFor } from "./harness/wait-for.ts";

const QUICK = 200;

test("a connection on which a query gets no answer is given up, and others do not wait behind it", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  const { hostname, port } = new URL(url);
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  const database = await openPostgres(throughProxy(url, proxy), undefined, { queryWithin: QUICK });
  try {
    await database.check();
    expect(proxy.connections).toBeGreaterThan(0);
    proxy.set("stalled");
    await expect(database.db.selectFrom("facts").selectAll().execute()).rejects.toThrow(/timeout/);
    // The pool closes what is idle, too, but after ten seconds.
    await waitFor("the connection to be closed", () => proxy.connections === 0, 5_000);
    proxy.set("none");
    await database.check();
  } finally {
    await database.close();
    await proxy.close();
  }
});

test("every session stores durably and reads what is committed, whatever the database's own settings are", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
  await client.end();
  const database = await openPostgres(url);
  const settings = await database.inTransaction(({ db }) =>
    db
      .selectNoFrom(({ fn, val }) => [
        fn<string>("current_setting", [val("synchronous_commit")]).as("durable"),
        fn<string>("current_setting", [val("transaction_isolation")]).as("isolation"),
        fn<string>("current_setting", [val("statement_timeout")]).as("within"),
      ])
      .executeTakeFirst(),
  );
  expect(settings).toEqual({ durable: "on", isolation: "read committed", within: "15s" });
  await database.close();
});
