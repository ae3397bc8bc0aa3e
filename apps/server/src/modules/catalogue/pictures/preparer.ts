import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Prepared, preparedSchema } from "./renditions.ts";

/** `failed`: the picture may be fine, and a retry may succeed. */
export type Preparation = Prepared | { readonly kind: "failed" };

/**
 * Makes the renditions of uploaded pictures in a separate process, one picture after another. Queued
 * pictures are in memory: the caller limits their number.
 */
export interface Preparer {
  prepare(file: Uint8Array): Promise<Preparation>;
  /** Ends the process. The current picture and all later ones fail. */
  close(): void;
}

/** In milliseconds. */
export interface PreparerTimes {
  /** The timeout for one picture. */
  readonly longest: number;
  /** How long an idle process is kept. */
  readonly idle: number;
}

export const preparerTimes: PreparerTimes = { longest: 30_000, idle: 60_000 };

/** The JavaScript heap of the process, in MB. The memory for pixels is limited by picture size. */
const HEAP = 64;

interface Options {
  readonly times?: PreparerTimes;
  /** The program of the process; tests replace it. */
  readonly program?: URL;
  /** Called with the process whenever one is started. */
  readonly onStart?: (child: ChildProcess) => void;
}

const pictureProcess = new URL(`./picture-process${extname(import.meta.url)}`, import.meta.url);

/**
 * The process is started for the first picture. After a crash or a timeout, the next picture gets a
 * new process. An idle process may have been killed; then the picture is retried once, in a new
 * process.
 */
export function createPreparer({
  times = preparerTimes,
  program = pictureProcess,
  onStart = () => {},
}: Options = {}): Preparer {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function end(): void {
    clearTimeout(idle);
    child?.kill("SIGKILL");
    child = undefined;
  }

  function start(): ChildProcess {
    const started = startProcess(program);
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    // Without a listener, an error such as a failed start would end the server.
    started.on("error", () => {});
    onStart(started);
    return started;
  }

  async function askProcess(file: Uint8Array): Promise<Asked> {
    child ??= start();
    return ask(child, file, times.longest);
  }

  async function prepareNow(file: Uint8Array): Promise<Preparation> {
    if (isClosed) return { kind: "failed" };
    clearTimeout(idle);
    const wasIdle = child !== undefined;
    // Without free memory or file descriptors, `fork` throws or returns a process without a
    // channel.
    const answer = await askProcess(file).catch((): Asked => ({ kind: "failed" }));
    if (answer.kind === "ended" || answer.kind === "failed") {
      end();
      return answer.kind === "ended" && wasIdle ? prepareNow(file) : { kind: "failed" };
    }
    idle = setTimeout(end, times.idle).unref();
    return answer;
  }

  return {
    prepare(file) {
      const preparing = last.then(() => prepareNow(file));
      last = preparing.catch(() => {});
      return preparing;
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

/**
 * The process gets none of the server's environment variables, such as passwords, and Node options.
 */
function startProcess(program: URL): ChildProcess {
  const { SYSTEMROOT } = process.env;
  const started = fork(program, {
    env: { ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }), MALLOC_ARENA_MAX: "2" },
    execArgv: [`--max-old-space-size=${HEAP}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // An idle process does not keep the server running.
  started.unref();
  started.channel?.unref();
  return started;
}

/** `ended`: the process ended without an answer. `failed`: no valid answer in time. */
type Asked = Prepared | { readonly kind: "ended" } | { readonly kind: "failed" };

async function ask(child: ChildProcess, file: Uint8Array, longest: number): Promise<Asked> {
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const over = new AbortController();
  const fail = () => resolve({ kind: "failed" });
  const ended = () => resolve({ kind: "ended" });
  // The process has read hostile files, so its answers are validated.
  const answered = (answer: unknown) =>
    resolve(preparedSchema.safeParse(answer).data ?? { kind: "failed" });
  child.once("message", answered);
  child.once("exit", ended);
  child.once("error", ended);
  child.send(file, (error) => {
    if (error !== null) ended();
  });
  void pause(longest, undefined, { signal: over.signal, ref: false }).then(fail, () => {});
  try {
    return await promise;
  } finally {
    over.abort();
    child.off("message", answered);
    child.off("exit", ended);
    child.off("error", ended);
  }
}
