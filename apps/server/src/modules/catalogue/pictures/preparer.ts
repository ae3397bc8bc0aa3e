import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { extname } from "node:path";
import { type Prepared, preparedSchema } from "./renditions.ts";

/** `failed`: the picture may be fine, and a retry may succeed. */
export type Preparation = Prepared | { readonly kind: "failed" };

export type Preparer = ReturnType<typeof createPreparer>;

/** The timeout for one picture, in milliseconds. */
const TIMEOUT = 30_000;
/** The JavaScript heap of the process, in MB. The memory for pixels is limited by picture size. */
const HEAP = 64;

const pictureProcess = new URL(`./picture-process${extname(import.meta.url)}`, import.meta.url);
const failed = { kind: "failed" } as const;

interface Options {
  /** In milliseconds. */
  readonly timeout?: number;
  readonly startProcess?: (program: URL, options: ForkOptions) => ChildProcess;
}

/**
 * Makes the renditions of uploaded pictures, each in a process of its own, one after another. Queued
 * pictures are in memory: the caller limits their number.
 */
export function createPreparer({ timeout = TIMEOUT, startProcess = fork }: Options = {}) {
  const closed = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  return {
    prepare(file: Uint8Array): Promise<Preparation> {
      // Without free memory or file descriptors, `fork` throws or returns a process without a
      // channel.
      const preparing = last.then(() =>
        prepareInProcess(file, { timeout, startProcess, signal: closed.signal }).catch(
          () => failed,
        ),
      );
      last = preparing;
      return preparing;
    },
    /** Ends the process. The current picture and all later ones fail. */
    close: () => closed.abort(),
  };
}

interface ProcessOptions extends Required<Options> {
  readonly signal: AbortSignal;
}

/**
 * The process gets none of the server's environment variables, such as passwords, and Node options.
 */
async function prepareInProcess(
  file: Uint8Array,
  { timeout, startProcess, signal }: ProcessOptions,
): Promise<Preparation> {
  signal.throwIfAborted();
  const { SYSTEMROOT } = process.env;
  const { promise, resolve } = Promise.withResolvers<Preparation>();
  const fail = () => resolve(failed);
  const child = startProcess(pictureProcess, {
    env: { ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }), MALLOC_ARENA_MAX: "2" },
    execArgv: [`--max-old-space-size=${HEAP}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    killSignal: "SIGKILL",
    timeout,
    signal,
  });
  // Without a listener, an error such as a failed start would end the server.
  child.on("error", fail).once("exit", fail);
  // The process has read hostile files, so its answers are validated.
  child.once("message", (answer) => resolve(preparedSchema.safeParse(answer).data ?? failed));
  try {
    child.send(file, (error) => {
      if (error !== null) fail();
    });
    return await promise;
  } finally {
    child.kill("SIGKILL");
  }
}
