import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export type LogOutput = ReturnType<typeof openLogOutput>;

interface Target {
  /** Calls `onDropped`, now or later, if the line cannot be written. */
  write(line: string, onDropped: () => void): void;
  readonly bufferedBytes: number;
}

/** The maximum buffer for a slow reader of a pipe, in bytes. */
const MAX_BUFFERED = 1024 * 1024;
/** Reports dropped lines after this time if nothing else is logged, in milliseconds. */
const REPORT_DELAY = 5_000;
const FLUSH_TICK = 10;

/**
 * Opens the standard output for the log. If the disk is full, the pipe is closed or its reader has
 * stopped, lines are dropped and the shop keeps running. The first line after that reports their
 * number. Writes to files and terminals are synchronous: a terminal paused with Ctrl-S blocks the
 * process until Ctrl-Q. Writes to pipes and sockets never block; their buffer is bounded.
 *
 * @param base fields of every line
 */
export function openLogOutput(base: object, fd = 1) {
  const kind = fstatSync(fd);
  const isStream = kind.isFIFO() || kind.isSocket() || isatty(fd);
  return outputTo(isStream ? streamTarget(process.stdout) : fileTarget(fd), base);
}

function outputTo(target: Target, base: object) {
  let dropped = 0;
  let unreported = 0;
  let reportIsDue = false;

  function reportLater(lines: number): void {
    unreported += lines;
    if (reportIsDue) return;
    reportIsDue = true;
    setTimeout(() => {
      reportIsDue = false;
      report();
    }, REPORT_DELAY).unref();
  }
  function report(): void {
    if (unreported === 0) return;
    const lines = unreported;
    unreported = 0;
    target.write(reportLine(base, lines), () => reportLater(lines));
  }

  return {
    /** Writes a line with its line feed. A line that cannot be written is dropped and counted. */
    write(line: string): void {
      report();
      target.write(line, () => {
        dropped += 1;
        reportLater(1);
      });
    },
    get dropped() {
      return dropped;
    },
    /** Resolves when the buffer is empty, or after `timeout` milliseconds. */
    async flush(timeout: number): Promise<void> {
      const deadline = performance.now() + timeout;
      while (target.bufferedBytes > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, FLUSH_TICK));
    },
  };
}

function reportLine(base: object, lines: number): string {
  const msg = `${lines} log lines could not be written`;
  return `${JSON.stringify({ level: 40, time: Date.now(), ...base, lines, msg })}\n`;
}

/** Synchronous, so that errors such as a full disk show at once and nothing is lost at the exit. */
function fileTarget(fd: number): Target {
  /** The rest of a line that was written in part when the disk became full. */
  let rest = Buffer.alloc(0);

  /** Stores the end of the line in `rest` if only a part fits. Throws if nothing was written. */
  function begin(line: string): void {
    const written = writeSome(line);
    if (written < Buffer.byteLength(line)) rest = Buffer.from(line).subarray(written);
  }
  /** @throws if nothing was written, even if `writeSync` returns 0 without an error */
  function writeSome(data: string | Buffer): number {
    const written = typeof data === "string" ? writeSync(fd, data) : writeSync(fd, data);
    if (written === 0 && data.length > 0) throw new Error("nothing could be written");
    return written;
  }
  function finish(): void {
    while (rest.length > 0) rest = rest.subarray(writeSome(rest));
  }
  return {
    bufferedBytes: 0,
    write(line, onDropped) {
      try {
        finish();
        begin(line);
      } catch {
        onDropped();
      }
    },
  };
}

/**
 * A pipe, a socket or a terminal. Node buffers what it does not accept; here up to
 * {@link MAX_BUFFERED}.
 */
function streamTarget(stream: NodeJS.WriteStream): Target {
  // The callback of each write gets its error. An "error" event without a listener would end the
  // process.
  stream.on("error", () => {});
  return {
    get bufferedBytes() {
      return stream.writableLength;
    },
    write(line, onDropped) {
      if (stream.writableLength + line.length > MAX_BUFFERED) return onDropped();
      stream.write(line, (error) => {
        if (error) onDropped();
      });
    },
  };
}
