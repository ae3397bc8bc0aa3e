import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import {
  migrateSqlite,
  readApplied,
} from "../../apps/server/src/platform/database/migrate-sqlite.ts";
import { anOrder } from "../harness/builders.ts";
import { isStatus, placeOrder, problemOf, subscribe } from "../harness/customer.ts";
import { sharedPostgres } from "../harness/databases.ts";
import { freePort, startFaultProxy } from "../harness/network.ts";
import { newDatabase } from "../harness/postgres.ts";
import { startSandbox } from "../harness/sandbox.ts";
import {
  endAll,
  open,
  providerSettings,
  type Started,
  startProcess,
} from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const root = join(import.meta.dirname, "../..");
const sandbox = useResource(() => startSandbox());
beforeAll(async () => {
  await mkdir(join(sandbox.folder, "taken/admin-token"), { recursive: true });
  await mkdir(join(sandbox.folder, "short"));
  await writeFile(join(sandbox.folder, "short/admin-token"), "token\n", { mode: 0o600 });
});

// The processes that a failed test has left running would affect later tests.
afterEach(endAll);

function start(env: Record<string, string> = {}, args?: readonly string[]): Promise<Started> {
  return startProcess({
    cwd: sandbox.folder,
    env: {
      DATABASE_URL: `file:${join(sandbox.folder, "shop.db")}`,
      ...providerSettings(sandbox),
      ...env,
    },
    ...(args === undefined ? {} : { args }),
  });
}

async function startOpen(env: Record<string, string> = {}): Promise<Started> {
  return open(await start(env));
}

// apps/server/src/config/config.test.ts has the settings that are refused when they are read.
describe("the server refuses to start, with one line that names the setting,", () => {
  const noDatabase = () => join(sandbox.folder, "text.db");
  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      "when PORT is not a number",
      () => ({ PORT: "abc" }),
      /^PORT: got "abc", expected a whole number from 1 to 65535$/,
    ],
    [
      "with a loan provider that it does not know",
      () => ({ LOAN_PROVIDER: "toString" }),
      /^LOAN_PROVIDER: got "toString", expected one of contracts-api$/,
    ],
    [
      "when the merchant's token cannot be stored",
      () => ({ DATABASE_URL: `file:${join(sandbox.folder, "taken", "shop.db")}` }),
      /^ADMIN_TOKEN is not set, and .*taken\/admin-token cannot be used instead \(EISDIR/,
    ],
    [
      "when the merchant's token is short",
      () => ({ ADMIN_TOKEN: "x" }),
      /^ADMIN_TOKEN: got a text of length 1, expected at least 24 characters/,
    ],
    [
      "when the stored merchant's token is short",
      () => ({ DATABASE_URL: `file:${join(sandbox.folder, "short", "shop.db")}` }),
      /^ADMIN_TOKEN: .*short\/admin-token has a text of length 5, expected at least 24 characters; delete the file/,
    ],
    [
      "when the PostgreSQL database does not exist",
      () => ({ DATABASE_URL: `${sharedPostgres()}-none`, ADMIN_TOKEN: randomUUID() }),
      /^DATABASE_URL: cannot use PostgreSQL: 3D000: database "postgres-none" does not exist$/,
    ],
    [
      "when ADMIN_TOKEN is missing on PostgreSQL",
      () => ({ DATABASE_URL: sharedPostgres() }),
      /^ADMIN_TOKEN is not set, expected your own token/,
    ],
    [
      "when the database's folder cannot be created",
      () => ({ DATABASE_URL: "file:/dev/null/shop.db" }),
      /^DATABASE_URL: cannot open the SQLite file/,
    ],
    [
      "when the database is a folder",
      () => ({ DATABASE_URL: `file:${sandbox.folder}` }),
      /^DATABASE_URL: cannot open the SQLite file/,
    ],
    [
      "when the database file is not a database",
      () => ({ DATABASE_URL: `file:${noDatabase()}` }),
      /^DATABASE_URL: cannot open the SQLite file/,
    ],
  ])("%s", async (_, env, line) => {
    await writeFile(
      noDatabase(),
      "this is a text, and quite a long one, which no database ever begins with",
    );
    const started = await start(env());
    expect(await started.ended()).toBe(1);
    expect(started.output().trim()).toMatch(line);
    expect(started.output().trim().split("\n")).toHaveLength(1);
  });

  test("when the database is from a newer version, and does not change it", async () => {
    const file = join(sandbox.folder, "newer.db");
    const database = new BetterSqlite3(file);
    migrateSqlite(database);
    database.exec("INSERT INTO schema_migrations VALUES (999, '')");
    database.close();
    const started = await start({ DATABASE_URL: `file:${file}` });
    expect(await started.ended()).toBe(1);
    expect(started.output()).toMatch(
      /^DATABASE_URL: the database is of version 999, made by a newer Keepsats/,
    );
    const after = new BetterSqlite3(file);
    expect(readApplied(after).at(-1)?.version).toBe(999);
    after.close();
  });

  test("when .env cannot be read", async () => {
    const place = join(sandbox.folder, "unreadable");
    await mkdir(join(place, ".env"), { recursive: true });
    const args = ["--import", join(root, "scripts/load-env.mjs"), "--eval", ""];
    const started = await startProcess({ cwd: place, args });
    expect(await started.ended()).toBe(1);
    expect(started.output().trim()).toMatch(
      /^\.env exists, but the user who runs this cannot read it \(.*\)$/,
    );
  });

  test("when the port is taken", async () => {
    const first = await startOpen();
    const second = await start({ PORT: new URL(first.url).port });
    expect(await second.ended()).toBe(1);
    expect(second.output()).toContain("is in use by another program");
    const third = await start({
      PORT: String(await freePort()),
      ADMIN_PORT: new URL(first.url).port,
    });
    expect(await third.ended()).toBe(1);
    expect(third.output().trim()).toBe(
      `ADMIN_PORT: ${new URL(first.url).port} is in use by another program; set ADMIN_PORT to a free port, or to off`,
    );
    first.child.kill();
    await first.ended();
  });
});

describe("the server", () => {
  test("creates the admin token on its first start, readable by its owner only, and keeps it", async () => {
    const place = join(sandbox.folder, "token");
    await mkdir(place);
    const env = { DATABASE_URL: `file:${join(place, "shop.db")}` };
    const first = await startOpen(env);
    const token = (await readFile(join(place, "admin-token"), "utf8")).trim();
    expect((await stat(join(place, "admin-token"))).mode & 0o777).toBe(0o600);
    const ask = (url: string) =>
      fetch(`${url}/api/admin/orders`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(first.url)).status).toBe(200);
    first.child.kill();
    await first.ended();
    // A file that other users can read is restricted, which is logged once.
    await chmod(join(place, "admin-token"), 0o644);
    const second = await startOpen(env);
    expect((await ask(second.url)).status).toBe(200);
    expect((await stat(join(place, "admin-token"))).mode & 0o777).toBe(0o600);
    expect(second.output().split("other users could read")).toHaveLength(2);
    second.child.kill();
    await second.ended();
  });

  test("stops gracefully on a signal: subscribers get 1001, the database is closed, the exit code is 0", async () => {
    const started = await startOpen();
    const subscriber = await subscribe(started, "no-order", "c");
    const closed = once(subscriber.socket, "close");
    started.child.kill("SIGTERM");
    expect((await closed)[0]).toBe(1001);
    expect(await started.ended()).toBe(0);
    expect(existsSync(join(sandbox.folder, "shop.db-wal"))).toBe(false);
  });

  test("finishes the requests in progress before it exits", async () => {
    const started = await startOpen();
    const request = httpRequest(`${started.url}/api/orders`, {
      method: "POST",
      headers: { "content-type": "application/json", expect: "100-continue" },
    });
    const answer = once(request, "response");
    request.flushHeaders();
    await once(request, "continue"); // The server has the request, and waits for its body.
    started.child.kill("SIGTERM");
    await waitFor("the shop to take no more", () =>
      fetch(`${started.url}/livez`).then(
        ({ status }) => status === 503,
        () => true,
      ),
    );
    request.end(JSON.stringify(anOrder()));
    const [response] = await answer;
    expect(response.statusCode).toBe(201);
    response.resume();
    expect(await started.ended()).toBe(0);
  });

  test("answers 503 at /readyz while it drains, and keeps answering other requests", async () => {
    const started = await startOpen({ DRAIN_SECONDS: "600" });
    const subscriber = await subscribe(started, "no-order", "c");
    started.child.kill("SIGTERM");
    const refusal = await waitFor("the server to say that it is going", async () => {
      const ready = await fetch(`${started.url}/readyz?exclude=database`);
      return ready.status === 503 && ready;
    });
    expect(refusal.headers.get("retry-after")).toMatch(/^[1-5]$/);
    expect(await problemOf(refusal)).toMatchObject({ code: "unavailable" });
    expect((await fetch(`${started.url}/livez`)).status).toBe(200);
    const items = await fetch(`${started.url}/api/items`);
    expect(items.status).toBe(200);
    expect(items.headers.get("connection")).toBe("close");
    expect((await placeOrder(started)).id).toBeDefined();
    expect(subscriber.socket.readyState).toBe(subscriber.socket.OPEN);
    await started.end("SIGKILL");
  });

  test("has lost no acknowledged order after it was killed", async () => {
    const started = await startOpen({ RATE_LIMIT_ORDERS: "100000" });
    const acknowledged: string[] = [];
    const placing = Array.from({ length: 8 }, async () => {
      for (let open = true; open; ) {
        const placed = await placeOrder(started).catch(() => undefined);
        if (placed === undefined) open = false;
        else acknowledged.push(placed.id);
      }
    });
    await waitFor("some orders", () => acknowledged.length > 50);
    started.child.kill("SIGKILL");
    await Promise.all(placing);
    await started.ended();

    const again = await startOpen();
    const database = new BetterSqlite3(join(sandbox.folder, "shop.db"), { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    const whole = database.prepare(
      "SELECT count(*) FROM orders o WHERE id = ? AND EXISTS (SELECT 1 FROM order_lines WHERE order_id = o.id) AND EXISTS (SELECT 1 FROM order_events WHERE order_id = o.id)",
    );
    for (const id of acknowledged) expect(whole.pluck().get(id)).toBe(1);
    expect(
      database
        .prepare(
          "SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_lines WHERE order_id = o.id)",
        )
        .pluck()
        .get(),
    ).toBe(0);
    database.close();
    again.child.kill();
    await again.ended();
  });

  test("starts a live shop without items, and says how to add some and that it sends no mail", async () => {
    const env = { DATABASE_URL: `file:${join(sandbox.folder, "live.db")}`, SAMPLE_CATALOGUE: "" };
    const started = await startOpen(env);
    expect(await (await fetch(`${started.url}/api/items`)).json()).toEqual([]);
    await waitFor("the line", () =>
      /^The catalogue is empty: .*items import.*\n/m.test(started.output()),
    );
    expect(started.output()).toMatch(/^No email is sent: .*SMTP_URL.*\n/m);
    started.child.kill();
    await started.ended();
  });

  test("does not load the sample catalogue into a shop whose items were all removed", async () => {
    const file = join(sandbox.folder, "emptied.db");
    const started = await startOpen({ DATABASE_URL: `file:${file}` });
    started.child.kill();
    await started.ended();
    const database = new BetterSqlite3(file);
    database.exec("DELETE FROM items");
    database.close();
    const again = await startOpen({ DATABASE_URL: `file:${file}` });
    expect(await (await fetch(`${again.url}/api/items`)).json()).toEqual([]);
    again.child.kill();
    await again.ended();
  });
});

describe("a server whose PostgreSQL cannot be reached", () => {
  const startOn = (url: string) =>
    start({ DATABASE_URL: url, ADMIN_TOKEN: "a-token-for-the-tests-of-processes" });
  const waits = '"msg":"the database cannot be used yet; retrying until it can"';

  test("logs once that it waits, and listens when PostgreSQL is up", async () => {
    const proxy = await startFaultProxy(await newDatabase(inject("postgresUrl")));
    proxy.set("cut");
    const started = await startOn(proxy.url);
    await waitFor("it to say that it waits", () => started.output().includes(waits));
    await waitFor("several attempts", () => proxy.refused > 2);
    await expect(fetch(`${started.url}/readyz`)).rejects.toThrow();
    expect(started.output().trim().split("\n")).toHaveLength(1);
    expect(started.output()).not.toContain("at ");
    proxy.set("none");
    await open(started);
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
    await started.end();
    await proxy.close();
  });

  test("stops gracefully when it gets a signal while it waits", async () => {
    const started = await startOn("postgres://keepsats@127.0.0.1:1/shop");
    await waitFor("it to say that it waits", () => started.output().includes(waits));
    started.child.kill("SIGTERM");
    expect(await started.ended()).toBe(0);
  });
});

describe("npm start", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "starts shop and sandbox, connected to each other, and stops both on %s",
    async (signal) => {
      const [port, sandboxPort] = [await freePort(), await freePort()];
      const adminPort = await freePort();
      const env = {
        PORT: String(port),
        SANDBOX_PORT: String(sandboxPort),
        SANDBOX_SMTP_PORT: String(await freePort()),
        SANDBOX_DATA: join(sandbox.folder, `start-${signal}.db`),
        SANDBOX_STEP_MS: "50",
        ADMIN_PORT: String(adminPort),
        DATABASE_URL: `file:${join(sandbox.folder, `start-${signal}`, "shop.db")}`,
        LOAN_API_URL: "",
        SAMPLE_CATALOGUE: "",
      };
      const started = await start(env, [join(root, "scripts/start.ts")]);
      const target = { url: `http://localhost:${port}` };
      await waitFor(
        () => `both to open; so far: ${started.output()}`,
        () => (started.output().match(/is open at/g) ?? []).length === 2,
      );
      const [, secret = ""] =
        /http:\/\/localhost:\d+\/sign-in#([\w-]{43})/.exec(started.output()) ?? [];
      const signedIn = await fetch(`http://localhost:${adminPort}/api/auth/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: `http://localhost:${adminPort}` },
        body: JSON.stringify({ link: secret }),
      });
      expect(await signedIn.json()).toMatchObject({ staff: { name: "Owner", role: "owner" } });
      const { id: lenderId }: { id: string } = await (await fetch(`${target.url}/api/me`)).json();
      const { id } = await placeOrder(target);
      const funded = await fetch(`http://localhost:${sandboxPort}/popup/contracts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ amount: "45.00", lender_id: lenderId, order_id: id, code: "beta" }),
      });
      const { id: loanId }: { id: string } = await funded.json();
      const subscriber = await subscribe(target, id, loanId);
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
      const mailbox = `http://localhost:${sandboxPort}/mailbox`;
      expect(started.output()).toContain(`Mailbox   ${mailbox}`);
      await waitFor("the emails", async () => {
        const { emails }: { emails: unknown[] } = await (await fetch(`${mailbox}/emails`)).json();
        return emails.length === 3;
      });

      started.child.kill(signal);
      started.child.kill(signal);
      expect(await started.ended()).toBe(0);
      for (const open of [port, sandboxPort, adminPort])
        await expect(fetch(`http://localhost:${open}/`)).rejects.toThrow();
    },
  );

  test("stops completely, with one line of output, when one of its programs cannot start", async () => {
    const started = await start(
      {
        PORT: "abc",
        SANDBOX_PORT: String(await freePort()),
        SANDBOX_DATA: join(sandbox.folder, "part.db"),
      },
      [join(root, "scripts/start.ts")],
    );
    expect(await started.ended()).toBe(1);
    expect(started.output()).toContain('PORT: got "abc"');
  });
});
