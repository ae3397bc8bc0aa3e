import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Prepared, preparedSchema } from "./recipe.ts";

/**
 * What has become of a picture; `failed` says nothing about the picture, and the same may succeed
 * later.
 */
export type Preparation = Prepared | { readonly kind: "failed" };

/**
 * Prepares uploaded pictures in a process of its own, one after another. Those that wait are in
 * memory: the caller bounds their number.
 */
export interface Preparer {
  prepare(file: Uint8Array): Promise<Preparation>;
  /** Ends the process. A picture that it is at fails, and so does every later one. */
  close(): void;
}

/** In milliseconds. */
export interface PreparerTimes {
  /** How long one picture may take. */
  readonly longest: number;
  /** How long the process is kept when there is nothing to do. */
  readonly idle: number;
}

export const preparerTimes: PreparerTimes = { longest: 30_000, idle: 60_000 };

/**
 * The memory of JavaScript in the process, in MB; that of the pixels is bounded by the size of a
 * picture.
 */
const HEAP = 64;

interface Options {
  readonly times?: PreparerTimes;
  /** The program of the process; tests have others. */
  readonly program?: URL;
  /** Called with the process whenever one is started. */
  readonly onStart?: (child: ChildProcess) => void;
}

const pictureProcess = new URL(`./picture-process${extname(import.meta.url)}`, import.meta.url);

/**
 * The process is started for the first picture. After it has crashed, or took too long, the next
 * picture gets a new one. A process that has prepared other pictures before may have been killed
 * while it waited; then the picture is tried once more, by a new one.
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
    // Without a listener an error, such as that of a process which could not be started, would end
    // the server.
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
    const hasWaited = child !== undefined;
    // A machine without free memory or file descriptors starts no process: `fork` throws, or what
    // it returns cannot be asked.
    const answer = await askProcess(file).catch((): Asked => ({ kind: "failed" }));
    if (answer.kind === "ended" || answer.kind === "failed") {
      end();
      return answer.kind === "ended" && hasWaited ? prepareNow(file) : { kind: "failed" };
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

/** It gets no setting of the server, such as passwords, and none of its options for Node. */
function startProcess(program: URL): ChildProcess {
  const { SYSTEMROOT } = process.env;
  const started = fork(program, {
    env: { ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }), MALLOC_ARENA_MAX: "2" },
    execArgv: [`--max-old-space-size=${HEAP}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // The server may end while the process still waits for work.
  started.unref();
  started.channel?.unref();
  return started;
}

/**
 * What has become of a question to the process. `ended`: the process ended without an answer;
 * `failed`: it gave none that is valid in time.
 */
type Asked = Prepared | { readonly kind: "ended" } | { readonly kind: "failed" };

async function ask(child: ChildProcess, file: Uint8Array, longest: number): Promise<Asked> {
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const over = new AbortController();
  const fail = () => resolve({ kind: "failed" });
  const ended = () => resolve({ kind: "ended" });
  // It has read hostile files, so its answers are checked as those of a stranger.
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
