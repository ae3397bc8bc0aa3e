import { statSync, writeSync } from "node:fs";
import { Worker } from "node:worker_threads";

const OUTPUT = 1;
const CLEAR_LINE = "\r\u001b[K";
/** The interval at which the progress line is rewritten, in milliseconds. */
const TICK = 250;

/**
 * The file that a long task writes, whose size shows the progress; without a file only the duration
 * is shown.
 */
export interface Growing {
  readonly file?: string;
  /** The expected size of the file in bytes. */
  readonly size?: number;
}

/** The text of the progress line. */
interface Told extends Growing {
  readonly what: string;
}

/**
 * Runs a long task and shows its progress if the output is a terminal. Another thread writes the
 * line, because the task may block this one.
 *
 * @param what such as "Copying the database"
 */
export async function showingGrowth<T>(
  what: string,
  growing: Growing,
  work: () => T | Promise<T>,
): Promise<T> {
  if (!process.stdout.isTTY) return work();
  const told: Told = { what, ...growing };
  const worker = new Worker(new URL("progress-worker.ts", import.meta.url), { workerData: told });
  try {
    return await work();
  } finally {
    await worker.terminate();
    writeSync(OUTPUT, CLEAR_LINE);
  }
}

/** Rewrites the line at an interval, until its thread is terminated. */
export function showGrowth({ what, file, size }: Told): void {
  const begun = performance.now();
  setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    writeSync(OUTPUT, `${CLEAR_LINE}${what} … ${written(file, size)}${seconds} s`);
  }, TICK);
}

function written(file: string | undefined, size: number | undefined): string {
  if (file === undefined) return "";
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return `${megabytes(bytes)}${size === undefined ? "" : ` of ${megabytes(size)}`}, `;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Shows on a terminal how many of a number of tasks are done. */
export function showCount(what: string): (done: number, all: number) => void {
  if (!process.stdout.isTTY) return () => {};
  return (done, all) =>
    writeSync(OUTPUT, done === all ? CLEAR_LINE : `${CLEAR_LINE}${what} … ${done} of ${all}`);
}
