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
  /** In epoch milliseconds. */
  readonly now: number;
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
  return {
    get now() {
      return clock.now;
    },
    fireNext(within) {
      let isAlarm = false;
      const alarm = clock.setTimeout(() => {
        isAlarm = true;
      }, within);
      clock.next();
      if (!isAlarm) clock.clearTimeout(alarm);
      return !isAlarm;
    },
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

/**
 * Compresses synchronously and calls back later: Node's own implementation uses threads, which
 * finish in any order.
 */
function deferred(compress: (data: InputType, options: object) => Buffer) {
  return (data: InputType, options: object, callback: Callback = Object(options)) => {
    const result = compress(data, callback === options ? {} : options);
    setImmediate(() => callback(null, result));
  };
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
