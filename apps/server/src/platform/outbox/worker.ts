import { setTimeout as pause } from "node:timers/promises";
import { groupCommit } from "../database/batching.ts";
import type { Database } from "../database/database.ts";
import { elapsed } from "../scheduling/clock.ts";
import { createTokenBucket, type TokenBucket } from "../scheduling/token-bucket.ts";
import { type AttemptEnd, makeAttempt, outcomeOf } from "./attempt.ts";
import type { Channel } from "./channel.ts";
import {
  type DeliveryRow,
  type EndedAttempt,
  listWaitingTargets,
  nextTime,
  storeResults,
  takeDue,
} from "./queue.ts";

/** In milliseconds. */
export const outboxTimes = {
  /** The polling interval: other processes store deliveries too, and may be killed. */
  poll: 5_000,
  /** The lease of a taken delivery. If its process is killed, the delivery waits until it ends. */
  lease: 30_000,
  /** How long a stopping worker waits for its attempts before it aborts them. */
  stop: 3_000,
};
export type OutboxTimes = Readonly<typeof outboxTimes>;

interface Dependencies {
  readonly database: Database;
  readonly channels: readonly Channel[];
  readonly times: OutboxTimes;
  /** Called with the result of each attempt. */
  readonly onAttempt: (channel: string, result: AttemptEnd["kind"]) => void;
  /** Called after the commit in which deliveries failed. */
  readonly onDeliveryFailed: () => void;
  readonly onError: (error: unknown) => void;
}

/** A channel with the running attempts of this process. */
interface ChannelState {
  readonly channel: Channel;
  readonly bucket: TokenBucket;
  /** The target of each running attempt. */
  readonly running: Map<Promise<void>, string>;
  /**
   * The last served target. The next round starts after it, so that no target uses the whole rate.
   */
  served: string;
}

/** How many attempts may crash their process, in addition to the attempts of the channel. */
const MAX_CRASHES = 3;
/** At the rate limit attempts start in batches, because taking deliveries costs a commit. */
const BATCHES_PER_SECOND = 5;
/** The delay before another try to store a result, in milliseconds. */
const STORE_RETRY_DELAY = 500;

/** Delivers the waiting deliveries. Any number of processes may run one. */
export function createOutboxWorker(dependencies: Dependencies) {
  const { channels, times, onError } = dependencies;
  const states = channels.map(
    (channel): ChannelState => ({
      channel,
      bucket: createTokenBucket(
        { perSecond: channel.perSecond, capacity: Math.max(1, channel.perSecond) },
        elapsed,
      ),
      running: new Map(),
      served: "",
    }),
  );
  const attemptDelivery = createAttemptDelivery(dependencies);
  const stopping = new AbortController();
  let state: "idle" | "started" | "stopped" = "idle";
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let timer: NodeJS.Timeout | undefined;

  function start(channelState: ChannelState, row: DeliveryRow): void {
    const attempt = attemptDelivery(channelState.channel, row, stopping.signal).finally(() => {
      channelState.running.delete(attempt);
      wake();
    });
    channelState.running.set(attempt, row.target);
  }

  /** Starts attempts until no more can start now; then sets the timer. */
  async function startAllDue(): Promise<void> {
    let wait = 0;
    while ((wait === 0 || isWoken) && state === "started") {
      isWoken = false;
      wait = times.poll;
      for (const channelState of states) {
        const due = await startDue(channelState, dependencies, (row) => start(channelState, row));
        wait = Math.min(wait, due);
      }
    }
    if (state === "started") timer = setTimeout(wake, wait).unref();
  }

  async function poll(): Promise<void> {
    try {
      await startAllDue();
    } catch (error) {
      onError(error);
      timer = setTimeout(wake, times.poll).unref();
    } finally {
      polling = undefined;
      if (isWoken) wake();
    }
  }

  function wake(): void {
    if (state !== "started") return;
    clearTimeout(timer);
    isWoken = true;
    polling ??= new Promise((resolve) => setImmediate(resolve)).then(poll);
  }

  return {
    /** Searches for due deliveries at once. */
    wake,
    start(): void {
      if (state === "idle" && states.length > 0) state = "started";
      wake();
    },
    async stop(): Promise<void> {
      state = "stopped";
      clearTimeout(timer);
      await polling;
      const aborting = setTimeout(() => stopping.abort("interrupted"), times.stop);
      await Promise.all(states.flatMap(({ running }) => [...running.keys()]));
      clearTimeout(aborting);
    },
  };
}

/**
 * Takes due deliveries of a channel within its limits, and starts their attempts.
 *
 * @returns the milliseconds until the next call; 0 for at once. The end of an attempt causes a call
 *   too
 */
async function startDue(
  channelState: ChannelState,
  { database, times, onDeliveryFailed }: Dependencies,
  start: (row: DeliveryRow) => void,
): Promise<number> {
  const { channel, bucket, running } = channelState;
  const { name, concurrency, perSecond } = channel;
  if (running.size >= concurrency.total || !channel.isOn()) return Infinity;
  const nextBatch = () => bucket.waitFor(Math.max(1, perSecond / BATCHES_PER_SECOND));
  if (nextBatch() > 0) return nextBatch();
  let wait = Infinity;
  for (const target of roundRobin(
    await listWaitingTargets(database.db, name),
    channelState.served,
  )) {
    const partition = { channel: name, target };
    const busy = [...running.values()].filter((busyTarget) => busyTarget === target).length;
    const { total, perTarget } = concurrency;
    const limit = Math.min(perTarget - busy, total - running.size, bucket.free());
    if (limit <= 0) {
      wait = Math.min(wait, bucket.free() > 0 ? Infinity : nextBatch());
      continue;
    }
    const next = (await nextTime(database.db, partition)) ?? Infinity;
    const until = next - database.now();
    if (until > 0) {
      wait = Math.min(wait, until);
      continue;
    }
    const { rows, hasMore } = await takeDue(database, partition, {
      limit,
      lease: times.lease,
      maxAttempts: channel.retryDelays.length + 1 + MAX_CRASHES,
      onDeliveryFailed,
    });
    bucket.take(rows.length);
    if (rows.length > 0) channelState.served = target;
    for (const row of rows) start(row);
    if (hasMore || rows.length === limit) wait = 0;
  }
  return wait;
}

/** Rotates the sorted targets to start after the one that was served last. */
function roundRobin(targets: readonly string[], served: string): string[] {
  return [
    ...targets.filter((target) => target > served),
    ...targets.filter((target) => target <= served),
  ];
}

/** Makes one attempt and stores its result. Never rejects. */
function createAttemptDelivery({ database, onAttempt, onDeliveryFailed, onError }: Dependencies) {
  const storeResult = groupCommit<EndedAttempt, void>(database, async (unit, ended) => {
    await storeResults(unit, ended, { at: database.now(), onDeliveryFailed });
    return ended.map(() => undefined);
  });

  /** Retries while the lease lasts: a delivery without a stored result is made again. */
  async function store(ended: EndedAttempt): Promise<void> {
    for (;;) {
      try {
        return await storeResult(ended);
      } catch (error) {
        onError(error);
        if (database.now() + STORE_RETRY_DELAY >= ended.row.leased_until) return;
        await pause(STORE_RETRY_DELAY);
      }
    }
  }

  return async (channel: Channel, row: DeliveryRow, stopping: AbortSignal): Promise<void> => {
    const result = await makeAttempt(channel, row, stopping);
    onAttempt(channel.name, result.kind);
    await store({ row, outcome: outcomeOf(result, row, channel, database.now()) });
  };
}
