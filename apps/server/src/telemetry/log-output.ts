import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * Where the log goes: it takes every line at once, never throws, and bounds what it keeps in memory. Writing to a file waits
 * for the disk, and writing to a terminal for the terminal: one that was stopped with Ctrl-S stops the whole process until
 * Ctrl-Q, for Node writes to terminals synchronously. Writing to a pipe or a socket never waits for its reader.
 */
export interface LogOutput {
  /** Takes one line with its line feed. One that cannot be written is dropped and counted. */
  write(line: string): void;
  /** How many lines could not be written so far. */
  readonly dropped: number;
  /** Resolves when everything taken is written, or after so many milliseconds. */
  flush(within: number): Promise<void>;
}

/** Something that lines are written to. */
interface Target {
  /** Writes a line, now or as soon as there is room; calls `lost`, now or later, where it cannot. */
  write(line: string, lost: () => void): void;
  /** How many bytes wait for room. */
  readonly waiting: number;
}

/** How many bytes may wait for whoever reads the other end of a pipe. */
const MOST_WAITING = 1024 * 1024;
/** How often lines that were lost are reported when nothing else is logged, in milliseconds. */
const REPORT_EVERY = 5_000;
const FLUSH_TICK = 10;

/**
 * Opens the standard output for the log. A full disk, a closed pipe or a reader that has stopped reading costs lines and
 * nothing else; when lines can be written again, one of them says how many were lost.
 */
export function openLogOutput(fd = 1): LogOutput {
  const kind = fstatSync(fd);
  const isStream = kind.isFIFO() || kind.isSocket() || isatty(fd);
  return outputTo(isStream ? streamTarget(process.stdout) : fileTarget(fd));
}

function outputTo(target: Target): LogOutput {
  let dropped = 0;
  let unreported = 0;
  let reportIsDue = false;

  function lose(lines: number): void {
    unreported += lines;
    if (reportIsDue) return;
    reportIsDue = true;
    setTimeout(() => {
      reportIsDue = false;
      report();
    }, REPORT_EVERY).unref();
  }
  function report(): void {
    if (unreported === 0) return;
    const lines = unreported;
    unreported = 0;
    target.write(reportLine(lines), () => lose(lines));
  }

  return {
    write(line) {
      report();
      target.write(line, () => {
        dropped += 1;
        lose(1);
      });
    },
    get dropped() {
      return dropped;
    },
    async flush(within) {
      const end = performance.now() + within;
      while (target.waiting > 0 && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, FLUSH_TICK));
    },
  };
}

function reportLine(lines: number): string {
  const msg = `${lines} log lines could not be written`;
  return `${JSON.stringify({ level: 40, time: Date.now(), lines, msg })}\n`;
}

/** A file is written at once: a full disk refuses at once too, and nothing is left to write when the process ends. */
function fileTarget(fd: number): Target {
  /** What is still to be written of a line whose first part is on the disk. */
  let rest = Buffer.alloc(0);

  /** Writes a line whole, or keeps what is missing of it. @throws when none of it could be written */
  function begin(line: string): void {
    const written = writeSome(line);
    if (written < Buffer.byteLength(line)) rest = Buffer.from(line).subarray(written);
  }
  /** @throws when nothing could be written, also where the system names no error */
  function writeSome(data: string | Buffer): number {
    const written = typeof data === "string" ? writeSync(fd, data) : writeSync(fd, data);
    if (written === 0 && data.length > 0) throw new Error("nothing could be written");
    return written;
  }
  function finish(): void {
    while (rest.length > 0) rest = rest.subarray(writeSome(rest));
  }
  return {
    waiting: 0,
    write(line, lost) {
      try {
        finish();
        begin(line);
      } catch {
        lost();
      }
    },
  };
}

/**
 * A pipe, a socket or a terminal: Node writes what a pipe or a socket has room for and keeps the rest, of which there is a
 * limit. It waits for a terminal.
 */
function streamTarget(stream: NodeJS.WriteStream): Target {
  // Each write is told of its own error; one that nobody hears would end the process.
  stream.on("error", () => {});
  return {
    get waiting() {
      return stream.writableLength;
    },
    write(line, lost) {
      if (stream.writableLength + line.length > MOST_WAITING) return lost();
      stream.write(line, (error) => {
        if (error) lost();
      });
    },
  };
}
