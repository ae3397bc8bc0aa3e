import { setTimeout as pause } from "node:timers/promises";
import { elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import type { Loop } from "../loop.ts";
import { createTokenBucket, type TokenBucket } from "../token-bucket.ts";
import { makeAttempt, outcomeOf, type Result } from "./attempt.ts";
import type { Channel } from "./channel.ts";
import {
  type DeliveryRow,
  type Ended,
  nextTime,
  type OnGivenUp,
  storeEnds,
  takeDue,
  waitingTargets,
} from "./queue.ts";

/** Works off the deliveries that wait in the outbox. Any number of processes may run one. */
export interface OutboxWorker extends Loop {
  /** Looks for due deliveries at once. */
  wake(): void;
}

/** All in milliseconds. */
export interface OutboxTimes {
  /**
   * The longest time between two looks at the table: other processes store deliveries too, and may
   * be killed.
   */
  readonly look: number;
  /**
   * How long a taken delivery belongs to its process. If that is killed, the delivery is held up
   * for so long at most.
   */
  readonly lease: number;
  /** How long a worker that stops waits for its attempts before it breaks them off. */
  readonly lastAttempts: number;
}

export const outboxTimes: OutboxTimes = { look: 5_000, lease: 30_000, lastAttempts: 3_000 };

interface Dependencies {
  readonly database: Database;
  readonly channels: readonly Channel[];
  /** Returns a number from 0 to 1, for the jitter of pauses. */
  readonly random: () => number;
  readonly times: OutboxTimes;
  /** Called with the result of each attempt. */
  readonly onAttempt: (channel: string, result: Result["kind"]) => void;
  readonly onGivenUp: OnGivenUp;
  readonly onError: (error: unknown) => void;
}

/** A channel, and the attempts of this process in it. */
interface Line {
  readonly channel: Channel;
  /** Limits how many attempts begin per second. */
  readonly bucket: TokenBucket;
  /** The target of each attempt in progress. */
  readonly attempts: Map<Promise<void>, string>;
  /**
   * The target that was served last; the next look begins behind it, so that none takes the whole
   * rate.
   */
  served: string;
}

/**
 * How many attempts of a delivery may be begun without an end, in addition to those that its
 * channel makes.
 */
const UNENDED = 3;
/**
 * While the bucket is nearly empty, attempts begin together so many times a second, because each
 * taking costs a commit.
 */
const BATCHES_PER_SECOND = 5;
/** The pause before it is tried again to store how an attempt ended, in milliseconds. */
const STORE_AGAIN = 500;

/** Creates {@link OutboxWorker}. It is idle until it is started. */
export function createOutboxWorker(dependencies: Dependencies): OutboxWorker {
  const { channels, times, onError } = dependencies;
  const lines = channels.map(
    (channel): Line => ({
      channel,
      bucket: createTokenBucket(
        { perSecond: channel.perSecond, capacity: Math.max(1, channel.perSecond) },
        elapsed,
      ),
      attempts: new Map(),
      served: "",
    }),
  );
  const attempt = createAttempt(dependencies);
  const breakOff = new AbortController();
  let state: "idle" | "started" | "stopped" = "idle";
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let timer: NodeJS.Timeout | undefined;

  function begin(line: Line, row: DeliveryRow): void {
    const made = attempt(line.channel, row, breakOff.signal).finally(() => {
      line.attempts.delete(made);
      wake();
    });
    line.attempts.set(made, row.target);
  }

  /**
   * Looks at every channel until nothing more can be begun now; then sets the timer for the next
   * look.
   */
  async function look(): Promise<void> {
    let wait = 0;
    while ((wait === 0 || isWoken) && state === "started") {
      isWoken = false;
      wait = times.look;
      for (const line of lines)
        wait = Math.min(wait, await workOff(line, dependencies, (row) => begin(line, row)));
    }
    if (state === "started") timer = setTimeout(wake, wait).unref();
  }

  async function lookOnce(): Promise<void> {
    try {
      await look();
    } catch (error) {
      onError(error);
      timer = setTimeout(wake, times.look).unref();
    } finally {
      looking = undefined;
      if (isWoken) wake();
    }
  }

  function wake(): void {
    if (state !== "started") return;
    clearTimeout(timer);
    isWoken = true;
    looking ??= new Promise((resolve) => setImmediate(resolve)).then(lookOnce);
  }

  return {
    wake,
    start() {
      if (state === "idle" && lines.length > 0) state = "started";
      wake();
    },
    async stop() {
      state = "stopped";
      clearTimeout(timer);
      await looking;
      const left = Promise.all(lines.flatMap(({ attempts }) => [...attempts.keys()]));
      const done = new AbortController();
      await Promise.race([
        left,
        pause(times.lastAttempts, undefined, { signal: done.signal }).catch(() => {}),
      ]);
      done.abort();
      breakOff.abort();
      await left;
    },
  };
}

/**
 * Takes the due deliveries of a channel, as many as it may make at the same time, and begins their
 * attempts.
 *
 * @returns after how many milliseconds to look again; 0 for at once. An attempt that ends is a
 *   reason to look, too
 */
async function workOff(
  line: Line,
  { database, times, onGivenUp }: Dependencies,
  begin: (row: DeliveryRow) => void,
): Promise<number> {
  const { channel, bucket, attempts } = line;
  const { name, atOnce, perSecond } = channel;
  if (attempts.size >= atOnce.all) return Infinity;
  const nextBatch = () => bucket.waitFor(Math.max(1, perSecond / BATCHES_PER_SECOND));
  if (nextBatch() > 0) return nextBatch();
  let wait = Infinity;
  for (const target of inTurn(await waitingTargets(database.db, name), line.served)) {
    const lane = { channel: name, target };
    const busy = [...attempts.values()].filter((one) => one === target).length;
    const most = Math.min(atOnce.target - busy, atOnce.all - attempts.size, bucket.free());
    if (most <= 0) {
      wait = Math.min(wait, bucket.free() > 0 ? Infinity : nextBatch());
      continue;
    }
    const next = (await nextTime(database.db, lane)) ?? Infinity;
    const until = next - database.now();
    if (until > 0) {
      wait = Math.min(wait, until);
      continue;
    }
    const { rows, isMore } = await takeDue(database, lane, {
      now: database.now,
      most,
      lease: times.lease,
      mostAttempts: channel.pauses.length + 1 + UNENDED,
      onGivenUp,
    });
    bucket.take(rows.length);
    if (rows.length > 0) line.served = target;
    for (const row of rows) begin(row);
    if (isMore || rows.length === most) wait = 0;
  }
  return wait;
}

/** The targets, which are sorted, beginning behind the one that was served last. */
function inTurn(targets: readonly string[], served: string): string[] {
  return [
    ...targets.filter((target) => target > served),
    ...targets.filter((target) => target <= served),
  ];
}

/** Creates the function that makes one attempt and stores how it ended. It never rejects. */
function createAttempt({ database, times, random, onAttempt, onGivenUp, onError }: Dependencies) {
  const storeEnd = commitInGroups<Ended, void>(database, async (unit, ends) => {
    await storeEnds(unit, ends, { at: database.now(), onGivenUp });
    return ends.map(() => undefined);
  });

  /** Tries again while the lease lasts: what is not stored is delivered again. */
  async function store(ended: Ended): Promise<void> {
    for (;;) {
      try {
        return await storeEnd(ended);
      } catch (error) {
        onError(error);
        if (database.now() + STORE_AGAIN >= ended.row.leased_until) return;
        await pause(STORE_AGAIN);
      }
    }
  }

  return async (channel: Channel, row: DeliveryRow, breakOff: AbortSignal): Promise<void> => {
    const result = await makeAttempt(channel, row, { lease: times.lease, stopping: breakOff });
    onAttempt(channel.name, result.kind);
    await store({
      row,
      outcome: outcomeOf(result, row, channel, { now: database.now(), random: random() }),
    });
  };
}
