import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needProgram, type TestProgramName } from "../../scripts/test-programs.ts";
import { freePort } from "./network.ts";
import { waitFor } from "./wait-for.ts";

/** A third-party program that serves a test, such as Redis. */
export type Service = Awaited<ReturnType<typeof startService>>;

interface ServiceOptions {
  readonly program: TestProgramName;
  /** Writes its files into a new folder. Returns its arguments. */
  readonly prepare: (
    folder: string,
    port: number,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly urlOf: (port: number) => string;
  readonly answers: (url: string) => Promise<boolean>;
  readonly env?: (folder: string, port: number) => Readonly<Record<string, string>>;
  /** The user who runs it; by default the one who runs the tests. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Starts a program in a new folder at a free port, and waits until it answers. */
export async function startService(options: ServiceOptions) {
  const { program, prepare, urlOf, answers, env, owner } = options;
  const executable = needProgram(program);
  const port = await freePort();
  const url = urlOf(port);
  const folder = await mkdtemp(join(tmpdir(), `keepsats-${program}-`));
  const args = await prepare(folder, port);
  let output = "";
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(executable, args, {
      ...owner,
      ...(env && { env: env(folder, port) }),
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (data) => (output += data));
    await waitFor(
      () => `${program} to answer; it said: ${output}`,
      () => {
        if (child.exitCode !== null) throw new Error(`${program} did not start: ${output}`);
        return answers(url);
      },
    );
  }
  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    // PostgreSQL would leave its processes running after SIGKILL.
    child.kill(program === "postgres" ? "SIGQUIT" : "SIGKILL");
    await ended;
  }
  async function stop(): Promise<void> {
    await end();
    await rm(folder, { recursive: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    /** Its output so far. */
    output: () => output,
    /** Restarts it; all connections break at once, as in a crash. */
    async restart(): Promise<void> {
      await end();
      await start();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
