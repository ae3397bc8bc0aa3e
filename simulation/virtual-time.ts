import { syncBuiltinESMExports } from "node:module";
import zlib, { brotliCompressSync, gzipSync, type InputType } from "node:zlib";
import FakeTimers, { type Clock } from "@sinonjs/fake-timers";

/**
 * Node's own `setImmediate`: when it fires, all ready promises and `process.nextTick` callbacks
 * have run.
 */
const nextTurn = setImmediate;

/** Runs everything that does not wait for a timer: promises, `process.nextTick` and file reads. */
export async function drain(): Promise<void> {
  do await new Promise((resolve) => nextTurn(resolve));
  while (process.getActiveResourcesInfo().some(isFileAccess));
}

function isFileAccess(resource: string): boolean {
  return resource.startsWith("FSReq");
}

/**
 * The time of a simulated process. It replaces Node's timers, `Date` and `performance.now()`.
 * Nothing waits for real time: its owner fires one timer after another.
 */
export interface VirtualTime {
  /** The true time in epoch milliseconds. The clock of the simulated machine may differ. */
  readonly now: number;
  /** Whether the clock of the simulated machine was ever set. */
  readonly hasJumped: boolean;
  /**
   * Sets the clock of the simulated machine forward or back; `performance.now()` is not affected.
   */
  jump(milliseconds: number): void;
  /** Fires one timer that is due now. @returns false if none is */
  fireDue(): boolean;
  /**
   * Advances to the next timer and fires it, but by at most this many milliseconds.
   *
   * @returns false if no timer was reached
   */
  fireNext(within: number): boolean;
  /** Drops all timers and resets `performance.now()`, like the start of a new process. */
  restart(): void;
  /** Restores the real timers of this process. */
  release(): void;
}

const FAKED = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "Date",
  "performance",
] as const;

/** Replaces the timers of this process. @param start in epoch milliseconds */
export function takeTime(start: number, random: () => number): VirtualTime {
  Object.assign(zlib, { gzip: later(gzipSync), brotliCompress: later(brotliCompressSync) });
  Object.assign(AbortSignal, { timeout: timeoutSignal });
  Object.assign(Math, { random });
  let clock = install(start);
  /** How far the machine's clock is ahead of the true time. */
  let ahead = 0;
  let hasJumped = false;

  function fire(within: number): boolean {
    let isAlarm = false;
    const alarm = clock.setTimeout(() => {
      isAlarm = true;
    }, within);
    clock.next();
    if (!isAlarm) clock.clearTimeout(alarm);
    return !isAlarm;
  }

  return {
    get now() {
      return clock.now - ahead;
    },
    get hasJumped() {
      return hasJumped;
    },
    jump(milliseconds) {
      hasJumped = true;
      ahead += milliseconds;
      clock.setSystemTime(clock.now + milliseconds);
    },
    fireDue: () => fire(0),
    fireNext: fire,
    restart() {
      const { now } = clock;
      clock.uninstall();
      clock = install(now);
    },
    release() {
      clock.uninstall();
      syncBuiltinESMExports();
    },
  };
}

function install(now: number): Clock {
  const clock = FakeTimers.install({ now, toFake: [...FAKED] });
  // Makes named imports from "node:timers/promises" and "node:zlib" refer to the replacements.
  syncBuiltinESMExports();
  return clock;
}

type Done = (error: Error | null, result: Buffer) => void;

/** How many turns of the event loop a compression takes, so that other work is done meanwhile. */
const COMPRESSION_TURNS = 8;

/**
 * Compresses synchronously and calls back later: Node's own implementation uses threads, which
 * finish in any order.
 */
function later(compress: (data: InputType, options: object) => Buffer) {
  return (data: InputType, options: object, done: Done = Object(options)) => {
    const result = compress(data, done === options ? {} : options);
    void turnsLater(COMPRESSION_TURNS).then(() => done(null, result));
  };
}

async function turnsLater(turns: number): Promise<void> {
  // Awaited, because an immediate that a timer sets itself fires a millisecond later.
  for (let left = turns; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** `AbortSignal.timeout` by the simulated time. */
function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(
    () => controller.abort(new DOMException("The operation timed out", "TimeoutError")),
    milliseconds,
  );
  return controller.signal;
}
