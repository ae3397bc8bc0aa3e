import { spawnSync } from "node:child_process";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { postOrder, problemOf } from "../harness/customer.ts";
import { expectNothingLost, type Placed } from "../harness/load.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { startServer } from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const MEGABYTES = 4;
const HALF_A_MEGABYTE = 512 * 1024;

/** A user namespace, in which any user may mount a small disk. */
const ownMounts = ["unshare", "--user", "--map-root-user", "--mount"];
const [unshare = "", ...flags] = ownMounts;
const canMount = spawnSync(unshare, [...flags, "true"]).status === 0;

const sandbox = useResource(() => startSandbox());
let disk: string;
beforeAll(async () => {
  disk = join(sandbox.folder, "disk");
  await mkdir(disk);
});

test.runIf(canMount)(
  "on a full disk orders are answered 503, none is partly stored, and the shop recovers",
  { meta: { needs: "Linux with user namespaces" } },
  async () => {
    const file = join(disk, "shop.db");
    const mounted = `mount -t tmpfs -o size=${MEGABYTES}m tmpfs "$0" && exec "$@"`;
    await using server = await startServer({
      cwd: sandbox.folder,
      through: [...ownMounts, "sh", "-c", mounted, disk],
      databaseUrl: `file:${file}`,
      provider: sandbox,
      env: { LOG_LEVEL: "info" },
    });
    const seenFromHere = `/proc/${server.child.pid}/root${disk}`;
    const acknowledged = new Map<string, Placed>();
    const place = async () => {
      const key = crypto.randomUUID();
      const response = await postOrder(server, anOrder(), { "idempotency-key": key });
      if (response.status === 201) acknowledged.set(key, await response.json());
      return response;
    };
    await place();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await writeFile(
      join(seenFromHere, "other"),
      Buffer.alloc(MEGABYTES * 1024 * 1024 - HALF_A_MEGABYTE),
    ).catch(() => {});
    const full = await waitFor("the disk to be full", async () => {
      const response = await place();
      return response.status !== 201 && response;
    });
    expect(full.status).toBe(503);
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await problemOf(full)).toMatchObject({ code: "unavailable" });
    await waitFor("readyz to tell", async () => {
      const ready = await fetch(`${server.url}/readyz`);
      return ready.status === 503 && (await ready.json()).database === "away";
    });
    expect((await fetch(`${server.url}/api/items`)).status).toBe(200);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);

    await rm(join(seenFromHere, "other"));
    await waitFor("the shop to sell again", async () => (await place()).status === 201);
    await waitFor(
      "readyz to tell",
      async () => (await fetch(`${server.url}/readyz`)).status === 200,
    );
    const lines = server
      .output()
      .split("\n")
      .filter((line) => line.includes('"msg":"the database'))
      .map((line) => JSON.parse(line).msg);
    // A small write may fit where an order does not, so the two log lines may alternate for a
    // while.
    expect(lines.length % 2).toBe(0);
    for (const [index, line] of lines.entries()) {
      expect(line).toBe(
        index % 2 === 0 ? "the database is unwritable" : "the database answers again",
      );
    }
    expect(server.output()).not.toContain("a request failed");
    // The disk exists only in the server's namespace, so this process cannot open the database.
    for (const name of ["shop.db", "shop.db-wal"])
      await copyFile(join(seenFromHere, name), join(sandbox.folder, name));
    const database = new BetterSqlite3(join(sandbox.folder, "shop.db"));
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    await expectNothingLost(async (sql) => database.prepare(sql).all(), acknowledged);
    database.close();
  },
);
