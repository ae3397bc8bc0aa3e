import type { Database, Queries } from "../../../platform/database/database.ts";
import { readValue, writeValue } from "../../../platform/database/key-values.ts";
import {
  createLeasedBatchJob,
  type JobTimes,
} from "../../../platform/database/leased-batch-job.ts";
import { type ClockAhead, HOUR, isClockRight } from "../../../platform/scheduling/clock.ts";
import type { Worker } from "../../../platform/scheduling/periodic-worker.ts";
import type { CancelOrder } from "../../orders/index.ts";
import { lastSweepBegan } from "../loans/sweep.ts";
import { type ExpiringOrder, findExpiringOrders } from "./expiring-orders.ts";

interface Dependencies {
  readonly database: Pick<Database, "db" | "now">;
  /** How long an order may wait for its payment, in milliseconds. */
  readonly term: number;
  readonly cancelOrder: CancelOrder;
  readonly times: JobTimes;
  readonly clockAhead: ClockAhead;
  readonly onExpired: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The maximum age of an unpaid order, in terms. A failed attempt restarts the term, but requesting
 * a loan is free, so attempts must not hold stock forever.
 */
export const MAX_TERMS = 3;

/**
 * Cancels orders that have waited for their payment for the whole term, in one process at a time.
 *
 * - The term starts when the order is placed, and again when a payment attempt ends.
 * - It does not start before this shop has begun to let orders expire.
 * - {@link MAX_TERMS} terms after the order was placed, a payment attempt starts no new term.
 * - An active loan for the order blocks the cancellation.
 * - A complete sweep, begun after the term, must have found no loan for the order.
 * - The provider must have answered about every loan that was presented for the order.
 *
 * So while the provider is unreachable, no order expires.
 */
export function createExpireOrders(dependencies: Dependencies): Worker {
  const { database, term, times, clockAhead, onError } = dependencies;
  const { db } = database;
  return createLeasedBatchJob<ExpiringOrder>({
    lease: "expire-orders",
    database,
    times,
    mayBegin: () => isClockRight(clockAhead() ?? 0),
    async begin(now) {
      // Protects orders that were placed while the clock was set back, before its lag was measured.
      const since = await readExpiryStart(db, now);
      const before = (await lastSweepBegan(db, now)) - term;
      return {
        tasks: (after) => (since >= before ? [] : findExpiringOrders(db, before, after)),
        async handle(order) {
          const placedAt = Math.max(order.created_at, since);
          const isTooOld = placedAt < before - (MAX_TERMS - 1) * term;
          if (order.waitsSince >= before && !isTooOld) return "skipped";
          return expire(order, dependencies);
        },
        async ended(isComplete) {
          if (isComplete) await writeValue(db, LAST_EXPIRY, String(now));
        },
      };
    },
    onError,
  });
}

async function expire(
  { id, version }: ExpiringOrder,
  { cancelOrder, term, onExpired }: Dependencies,
): Promise<"done" | "undecided"> {
  const hours = Math.round(term / HOUR);
  const within = hours === 1 ? "within an hour" : `within ${hours} hours`;
  const outcome = await cancelOrder(
    id,
    { kind: "shop" },
    {
      reason: `expired: not paid ${within}`,
      message: `The order was not paid ${within}.`,
      version,
    },
  );
  switch (outcome.kind) {
    case "cancelled":
      onExpired();
      return "done";
    case "undecided":
      return "undecided";
    case "unchanged":
    case "loan-active":
    case "paid":
    case "refused":
    case "version-changed":
    case "not-found":
      return "done";
  }
}

// Names in the key-value table. Existing shops have stored them, so they stay.
const EXPIRY_START = "orders-expire-from";
const LAST_EXPIRY = "expiry-last-look";

/**
 * When this shop began to let orders expire; the first call stores `now`. A stored time in the
 * future was written before the clock was set back, and is replaced.
 */
async function readExpiryStart(db: Queries, now: number): Promise<number> {
  const stored = await readTime(db, EXPIRY_START);
  if (stored !== undefined && stored <= now) return stored;
  await writeValue(db, EXPIRY_START, String(now));
  return now;
}

/** When a process last completed a run; `undefined` for never. */
export function readLastExpiry(db: Queries): Promise<number | undefined> {
  return readTime(db, LAST_EXPIRY);
}

/** An invalid stored time counts as none. */
async function readTime(db: Queries, name: string): Promise<number | undefined> {
  const time = Number((await readValue(db, name)) ?? Number.NaN);
  return Number.isFinite(time) ? time : undefined;
}
