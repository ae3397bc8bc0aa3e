import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { providerSettings, type Started, startProcess } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const TOKEN = "a-token-for-the-tests-of-the-log";
const METRICS_TOKEN = "a-token-for-the-metrics";
const sandbox = useResource(() => startSandbox());

/**
 * Starts a server through a shell command that redirects the output of `"$@"`, and waits until it
 * answers.
 */
async function startWritingTo(line: string, ...through: string[]): Promise<Started> {
  const started = await startProcess({
    cwd: sandbox.folder,
    through: [...through, "sh", "-c", line, "sh"],
    env: {
      DATABASE_URL: `file:${join(sandbox.folder, crypto.randomUUID(), "shop.db")}`,
      ADMIN_TOKEN: TOKEN,
      METRICS_TOKEN,
      RATE_LIMIT_ORDERS: "100000",
      ...providerSettings(sandbox),
    },
  });
  await waitFor(
    () => `the shop to answer; it said: ${started.output()}`,
    () =>
      fetch(`${started.url}/readyz`).then(
        (answer) => answer.status === 200,
        () => false,
      ),
  );
  return started;
}

/** Causes a log line: places an order and cancels it. */
async function logSomething({ url }: Started): Promise<void> {
  const item = {
    name: "Moka pot",
    description: "Coffee.",
    price: 45,
    image_url: "/pictures/moka-pot.svg",
  };
  await callAdminApi({ url, token: TOKEN }, "PUT", "/api/admin/items/moka-pot", item);
  const { id } = await placeOrder({ url });
  const move = { to: "Cancelled" };
  const { status } = await callAdminApi(
    { url, token: TOKEN },
    "POST",
    `/api/admin/orders/${id}/transitions`,
    move,
  );
  expect(status).toBe(200);
}

async function droppedLines({ url }: Started): Promise<number> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return Number(/^keepsats_log_lines_dropped_total (\d+)$/m.exec(await response.text())?.[1]);
}

async function expectToSellAndEnd(
  started: Started,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<void> {
  for (let lines = 0; lines < 3; lines += 1) await logSomething(started);
  expect((await fetch(`${started.url}/livez`)).status).toBe(200);
  started.child.kill(signal);
  expect(await started.ended()).toBe(0);
}

test.each([
  ["that is full from the start", 'exec "$@" >/dev/full'],
  ["and an error output that are both full", 'exec "$@" >/dev/full 2>&1'],
])("with a log %s orders are accepted, and the server stops gracefully", async (_, line) => {
  const started = await startWritingTo(line);
  await logSomething(started);
  expect(await droppedLines(started)).toBeGreaterThan(0);
  await expectToSellAndEnd(started);
});

test("with a log to a pipe whose reader has exited orders are accepted", async () => {
  const started = await startWritingTo('exec "$@"');
  started.child.stdout?.destroy();
  await logSomething(started);
  await waitFor("lines to be lost", async () => {
    await logSomething(started);
    return (await droppedLines(started)) > 0;
  });
  await expectToSellAndEnd(started, "SIGHUP");
});

test("with a log to a pipe whose reader has stopped reading orders are accepted, and the server stops", async () => {
  const pipe = join(sandbox.folder, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const reader = spawn("sleep", ["600"], {
    stdio: [await openForReading(pipe), "ignore", "ignore"],
  });
  try {
    // The pipe is filled beforehand, so that the first line does not fit.
    const fill = `dd if=/dev/zero of="${pipe}" bs=1024 count=64 oflag=nonblock 2>/dev/null`;
    const started = await startWritingTo(`exec 1<>"${pipe}"; ${fill}; exec "$@"`);
    await expectToSellAndEnd(started);
  } finally {
    reader.kill("SIGKILL");
  }
});

async function openForReading(pipe: string): Promise<number> {
  const { constants, openSync } = await import("node:fs");
  return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
}

const ownMounts = ["unshare", "--user", "--map-root-user", "--mount"];
const canMount = spawnSync(ownMounts[0] ?? "", [...ownMounts.slice(1), "true"]).status === 0;

test.runIf(canMount)(
  "on a full log disk lines are dropped and counted, and written when there is space again",
  { meta: { needs: "Linux with user namespaces" } },
  async () => {
    const disk = join(sandbox.folder, "disk");
    await mkdir(disk);
    const mount = `mount -t tmpfs -o size=64k tmpfs "${disk}" && head -c 61440 /dev/zero >"${disk}/other"`;
    const started = await startWritingTo(`${mount} && exec "$@" >>"${disk}/log"`, ...ownMounts);
    const seenFromHere = `/proc/${started.child.pid}/root${disk}`;
    const log = () => readFile(join(seenFromHere, "log"), "utf8");
    await waitFor("the disk to be full", async () => {
      await logSomething(started);
      return (await droppedLines(started)) > 3;
    });
    expect((await fetch(`${started.url}/livez`)).status).toBe(200);

    await writeFile(join(seenFromHere, "other"), "");
    await logSomething(started);
    const last = (await log()).trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({
      msg: "order moved",
      server: expect.stringMatching(/.:\d+$/),
    });
    await expectToSellAndEnd(started);
  },
);
