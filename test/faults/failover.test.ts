import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFaultProxy, throughProxy } from "../harness/fault-proxy.ts";
import { startLender } from "../harness/lender.ts";
import { expectNothingLost, startLoad } from "../harness/load.ts";
import { crash, query, startPostgres, startStandby } from "../harness/postgres.ts";
import { runDatabaseTask, startServer } from "../harness/server-process.ts";
import { waitFor } from "../harness/wait-for.ts";

const isNamed = (process.env.TEST_DATABASE_URL ?? "") !== "";

test.skipIf(isNamed)(
  "when a standby takes over under load, the servers recover by themselves and no acknowledged order is lost",
  {
    meta: { needs: "a PostgreSQL of its own: apt install postgresql, and unset TEST_DATABASE_URL" },
  },
  async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-"));
    const folder = temporary.path;
    await using postgres = await startPostgres();
    const primary = await postgres.newDatabase();
    await using standby = await startStandby(primary);
    await using lender = await startLender({ folder, shopOrigin: "http://localhost:1" });
    // The address that moves from one PostgreSQL to the other.
    const target = { host: "127.0.0.1", port: Number(new URL(primary).port) };
    await using address = await startFaultProxy(target);
    const databaseUrl = throughProxy(primary, address);
    const servers = [
      await startServer({ cwd: folder, databaseUrl, lender }),
      await startServer({ cwd: folder, databaseUrl, lender }),
    ];
    await using load = startLoad(() => servers.map(({ url }) => url));
    await waitFor("orders", () => load.acknowledged.size > 200);
    const backup = join(folder, "of-standby.pgdump");
    expect(await runDatabaseTask(folder, "backup", standby.url, "--to", backup)).toMatchObject({
      code: 0,
    });
    await crash(primary);
    const before = load.acknowledged.size;
    await standby.promote();
    target.port = Number(new URL(standby.url).port);
    await waitFor("orders on the standby", () => load.acknowledged.size > before + 200);
    await load.stop();
    await expectNothingLost((sql) => query(standby.url, sql), load.acknowledged);
    expect([...load.refusals].filter((refusal) => refusal !== "503 unavailable")).toEqual([]);
    await Promise.all(servers.map((server) => server.end()));
  },
);
