import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needServer } from "../../scripts/find-servers.ts";
import { freePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

/** A Redis for tests. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a temporary server, or uses the one in `TEST_REDIS_URL`. */
export async function startRedis(): Promise<TestRedis> {
  const named = process.env.TEST_REDIS_URL ?? "";
  if (named !== "") return { url: named, stop: async () => {} };
  const program = needServer("redis");
  const folder = await mkdtemp(join(tmpdir(), "keepsats-redis-"));
  const port = await freePort();
  const child = spawn(
    program,
    [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--appendonly",
      "no",
      "--dir",
      folder,
    ],
    { stdio: "ignore" },
  );
  await waitFor("Redis to start", () => answers(port));
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
