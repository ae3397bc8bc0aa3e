import { syncBuiltinESMExports } from "node:module";
import zlib, { brotliCompressSync, gzipSync, type InputType } from "node:zlib";
import FakeTimers, { type Clock } from "@sinonjs/fake-timers";

/** Node's own; when it fires, all ready promises and `process.nextTick` callbacks have run. */
const realSetImmediate = setImmediate;

/** Runs everything that does not wait for a timer: promises, `process.nextTick` and file reads. */
export async function drain(): Promise<void> {
  do await new Promise((resolve) => realSetImmediate(resolve));
  while (process.getActiveResourcesInfo().some(isFileAccess));
}

function isFileAccess(resource: string): boolean {
  return resource.startsWith("FSReq");
}

/**
 * Replaces Node's timers, `Date` and `performance.now()`. Nothing waits for real time: the owner
 * fires one timer after another.
 */
export interface VirtualClock {
  /** The true time in epoch milliseconds. The system clock of the simulated machine may differ. */
  readonly now: number;
  /** Whether the system clock was ever set. */
  readonly wasSet: boolean;
  /** Sets the system clock forward or back; `performance.now()` is not affected. */
  adjust(milliseconds: number): void;
  /** Fires one timer that is due now. Returns false if none is. */
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

/** Replaces the timers and `Math.random` of this process. `start`: in epoch milliseconds. */
export function installVirtualClock(start: number, random: () => number): VirtualClock {
  Object.assign(zlib, { gzip: deferred(gzipSync), brotliCompress: deferred(brotliCompressSync) });
  Object.assign(AbortSignal, { timeout: timeoutSignal });
  Object.assign(Math, { random });
  let clock = install(start);
  /** How far the system clock is ahead of the true time. */
  let ahead = 0;
  let wasSet = false;

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
    get wasSet() {
      return wasSet;
    },
    adjust(milliseconds) {
      wasSet = true;
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

type Callback = (error: Error | null, result: Buffer) => void;

/** The duration of a compression in iterations of the event loop, so that other work goes on. */
const COMPRESSION_ITERATIONS = 8;

/**
 * Compresses synchronously and calls back later: Node's own implementation uses threads, which
 * finish in any order.
 */
function deferred(compress: (data: InputType, options: object) => Buffer) {
  return (data: InputType, options: object, callback: Callback = Object(options)) => {
    const result = compress(data, callback === options ? {} : options);
    void iterations(COMPRESSION_ITERATIONS).then(() => callback(null, result));
  };
}

async function iterations(count: number): Promise<void> {
  // Awaited, because an immediate that a timer sets itself fires a millisecond later.
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** `AbortSignal.timeout` in virtual time. */
function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(
    () => controller.abort(new DOMException("The operation timed out", "TimeoutError")),
    milliseconds,
  );
  return controller.signal;
}

/** Runs actions of the simulation, ordered by time. */
export interface Scheduler {
  /**
   * @param at in epoch milliseconds; actions with the same time run in the order in which they were
   *   added
   */
  schedule(at: number, action: () => void): void;
  /** The time of the next action; `Infinity` if there is none. */
  readonly next: number;
  runNext(): void;
}

export function createScheduler(): Scheduler {
  const entries: { readonly at: number; readonly action: () => void }[] = [];
  return {
    schedule(at, action) {
      const place = entries.findIndex((entry) => entry.at > at);
      entries.splice(place < 0 ? entries.length : place, 0, { at, action });
    },
    get next() {
      return entries[0]?.at ?? Number.POSITIVE_INFINITY;
    },
    runNext: () => entries.shift()?.action(),
  };
}
