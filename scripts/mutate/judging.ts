import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Judge } from "./judge.ts";

/** The timeout of the tests, in milliseconds. A mutant that exceeds it counts as noticed. */
const TIMEOUT = { unit: 120_000, integration: 300_000 };

/** Runs the tests in a process of its own, which is replaced after a timeout. */
export function createJudging(postgresUrl: string): Judge & { close(): void } {
  let child: ChildProcess | undefined;
  let known = {};

  async function start(): Promise<ChildProcess> {
    // A process group of its own, so that the processes of its tests are killed with it.
    const started = fork(join(import.meta.dirname, "judge-process.ts"), {
      detached: true,
      env: {
        ...process.env,
        POSTGRES_URL: postgresUrl,
        TEST_TIMEOUTS: JSON.stringify(known),
        NODE_ENV: "test",
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(started, "message");
    return started;
  }

  function close(): void {
    if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    child = undefined;
  }

  return {
    async judge(mutant, tests) {
      child ??= await start();
      child.send({ mutant, tests });
      const timeout = tests.some((test) => test.startsWith("test/"))
        ? TIMEOUT.integration
        : TIMEOUT.unit;
      try {
        const [{ failure, testTimeouts }] = await once(child, "message", {
          signal: AbortSignal.timeout(timeout),
        });
        known = testTimeouts;
        return failure;
      } catch {
        close();
        return "it does not come to an end";
      }
    },
    close,
  };
}
