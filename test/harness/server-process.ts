import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import type { Lender } from "./lender.ts";
import { waitFor } from "./wait-for.ts";

const server = join(import.meta.dirname, "../../apps/server/src/main.mjs");

const running = new Set<ChildProcess>();

/** Ends what tests have left running, as one that fails does. */
export async function endAll(): Promise<void> {
  const exits = [...running].map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(exits);
}

/** A program of the shop that runs as a process of its own. */
export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything it has said so far, on both outputs. */
  output(): string;
  /** Resolves with the exit code once the process has ended; `null` when a signal ended it. */
  ended(): Promise<number | null>;
  /** Ends it with a signal, and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The file that Node is to run, and its arguments; the server when there are none. */
  readonly args?: readonly string[];
  /** Where it runs. */
  readonly cwd: string;
  readonly port?: number;
  /** A program, with its arguments, that Node is to be started by. */
  readonly through?: readonly string[];
}

/** Starts a program with exactly this environment. A server has the sample catalogue, unless `env` says otherwise. */
export async function startProcess(options: StartOptions): Promise<Started> {
  const { env = {}, args = [server], cwd, through = [] } = options;
  const port = options.port ?? (await freePort());
  let output = "";
  const [program = process.execPath, ...rest] = [...through, process.execPath, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH, PORT: String(port), SAMPLE_CATALOGUE: "on", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exit = once(child, "exit").finally(() => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return {
    child,
    url: `http://localhost:${port}`,
    output: () => output,
    ended: async () => (await exit)[0],
    async end(signal = "SIGTERM") {
      child.kill(signal);
      await exit;
    },
  };
}

/** The settings with which a server uses a lender. */
export function lenderSettings({ url, key }: Pick<Lender, "url" | "key">): Record<string, string> {
  return { LOAN_API_URL: url, LOAN_API_KEY: key, LOAN_POPUP_URL_TEST: url };
}

/** Waits until a program says that it is open. One that does not is ended. */
export async function open(started: Started): Promise<Started> {
  const { child, output } = started;
  try {
    await waitFor(
      () => `a program to open; it said: ${output()}`,
      () => {
        if (!running.has(child)) throw new Error(`a program did not start: ${output()}`);
        return output().includes("is open at");
      },
    );
  } catch (error) {
    await started.end("SIGKILL");
    throw error;
  }
  return started;
}
