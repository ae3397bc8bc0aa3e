import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export type LogOutput = ReturnType<typeof openLogOutput>;

/** The maximum buffer for a slow reader of a pipe, in bytes. */
const MAX_BUFFERED = 1024 * 1024;
const FLUSH_TICK = 10;

/**
 * Opens the standard output for the log. If the disk is full, the pipe is closed or its reader has
 * stopped, lines are dropped and counted, and the shop keeps running. Writes to files and terminals
 * are synchronous: a terminal paused with Ctrl-S blocks the process until Ctrl-Q. Writes to pipes
 * and sockets never block; their buffer is bounded.
 */
export function openLogOutput(fd = 1) {
  const kind = fstatSync(fd);
  const isStream = kind.isFIFO() || kind.isSocket() || isatty(fd);
  let dropped = 0;
  /** Whether the last line of the file was not completely written. */
  let isCut = false;

  /** Synchronous, so that errors show at once and nothing is lost at the exit. */
  function writeToFile(line: string): void {
    const text = isCut ? `\n${line}` : line;
    try {
      isCut = writeSync(fd, text) < Buffer.byteLength(text);
    } catch {
      isCut = true;
    }
    if (isCut) dropped += 1;
  }

  /** Node buffers what a pipe, a socket or a terminal does not accept. */
  function writeToStream(line: string): void {
    if (process.stdout.writableLength + line.length > MAX_BUFFERED) {
      dropped += 1;
      return;
    }
    process.stdout.write(line, (error) => {
      if (error) dropped += 1;
    });
  }

  // The callback of each write gets its error. An "error" event without a listener would end the
  // process.
  if (isStream) process.stdout.on("error", () => {});
  return {
    /** Writes a line with its line feed. A line that cannot be written is dropped and counted. */
    write: isStream ? writeToStream : writeToFile,
    get dropped() {
      return dropped;
    },
    /** Resolves when the buffer is empty, or after `timeout` milliseconds. */
    async flush(timeout: number): Promise<void> {
      const deadline = performance.now() + timeout;
      while (isStream && process.stdout.writableLength > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, FLUSH_TICK));
    },
  };
}
