import { statSync, writeSync } from "node:fs";
import { Worker } from "node:worker_threads";

const OUTPUT = 1;
const CLEAR_LINE = "\r\u001b[K";
/** In milliseconds. */
const INTERVAL = 250;

/** The file whose size shows the progress; without a file only the duration is shown. */
export interface Growing {
  readonly file?: string;
  /** The expected size of the file in bytes. */
  readonly size?: number;
}

interface Progress extends Growing {
  readonly label: string;
}

/**
 * Runs a long task and shows its progress on a terminal. Another thread writes the line, because the
 * task may block this one.
 *
 * @param label such as "Backing up the database"
 */
export async function withProgress<T>(
  label: string,
  growing: Growing,
  work: () => T | Promise<T>,
): Promise<T> {
  if (!process.stdout.isTTY) return work();
  const workerData: Progress = { label, ...growing };
  const worker = new Worker(new URL("progress-worker.ts", import.meta.url), { workerData });
  try {
    return await work();
  } finally {
    await worker.terminate();
    writeSync(OUTPUT, CLEAR_LINE);
  }
}

/** Rewrites the line at an interval, until its thread is terminated. */
export function showGrowth({ label, file, size }: Progress): void {
  const start = performance.now();
  setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    writeSync(OUTPUT, `${CLEAR_LINE}${label} … ${written(file, size)}${seconds} s`);
  }, INTERVAL);
}

function written(file: string | undefined, size: number | undefined): string {
  if (file === undefined) return "";
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return `${megabytes(bytes)}${size === undefined ? "" : ` of ${megabytes(size)}`}, `;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Returns a function that shows on a terminal how many rows or tasks are done. */
export function showCount(label: string): (done: number, all: number) => void {
  if (!process.stdout.isTTY) return () => {};
  return (done, all) =>
    writeSync(OUTPUT, done === all ? CLEAR_LINE : `${CLEAR_LINE}${label} … ${done} of ${all}`);
}
