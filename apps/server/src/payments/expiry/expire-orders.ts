import type { Database } from "../../db/database.ts";
import type { Loop } from "../../loop.ts";
import type { CancelOrder } from "../cancelling/cancel-order.ts";
import { type ClockAhead, isClockRight } from "../clock-guard.ts";
import { lastSweepBegan } from "../loans/sweep.ts";
import { createPasses } from "../passes.ts";
import { type ExpiringOrder, expiringOrders } from "./expiring-orders.ts";
import { readExpiryStart, writeLastExpiry } from "./expiry-state.ts";

/** In milliseconds. */
export interface ExpiryTimes {
  /** How often a process looks whether a pass is due. */
  readonly expiryTick: number;
  /**
   * The time from the beginning of a pass to the next one; a pass that takes longer is continued
   * then.
   */
  readonly expiryPass: number;
  /** The longest wait for the next pass after failures; it doubles with each. */
  readonly expiryLongest: number;
  /** The pause after each order, so that a long pass leaves time for requests. */
  readonly expiryPause: number;
}

interface Dependencies {
  readonly database: Pick<Database, "db" | "now">;
  /** How long an order may wait for its payment, in milliseconds. */
  readonly term: number;
  readonly cancelOrder: CancelOrder;
  readonly times: ExpiryTimes;
  readonly clockAhead: ClockAhead;
  readonly onExpired: () => void;
  readonly onError: (error: unknown) => void;
}

const HOUR = 60 * 60_000;

/**
 * The maximum age of an unpaid order, in terms. A failed attempt restarts the term, but requesting
 * a loan is free, so attempts must not hold stock forever.
 */
export const MOST_TERMS = 3;

/**
 * Cancels orders that have waited for their payment for the whole term, in one process at a time.
 * An order's term begins when it is placed and when a payment attempt ends, and not before this
 * shop has begun to let orders expire. After {@link MOST_TERMS} terms from its placing it ends,
 * unless a loan for it is active. A complete sweep over all loans, begun after the term, must have
 * found no loan for the order, and the provider is asked about every loan that was presented for
 * it. So while the provider is away, no term ends.
 */
export function createExpireOrders(dependencies: Dependencies): Loop {
  const { database, term, times, clockAhead, onExpired, onError } = dependencies;
  const { db } = database;
  return createPasses<ExpiringOrder>({
    lease: "expire-orders",
    database,
    times: {
      tick: times.expiryTick,
      pass: times.expiryPass,
      longest: times.expiryLongest,
      pause: times.expiryPause,
    },
    mayBegin: () => isClockRight(clockAhead() ?? 0),
    async begin(now) {
      // Protects orders that were placed while the clock was set back, before its lag was measured.
      const since = await readExpiryStart(db, now);
      const before = (await lastSweepBegan(db, now)) - term;
      return {
        items: (after) => (since >= before ? [] : expiringOrders(db, before, after)),
        async handle(order) {
          const placedAt = Math.max(order.createdAt, since);
          const isTooOld = placedAt < before - (MOST_TERMS - 1) * term;
          if (order.waitsSince >= before && !isTooOld) return "skipped";
          const outcome = await expire(order, dependencies);
          if (outcome === "expired") onExpired();
          return outcome === "undecided" ? "undecided" : "done";
        },
        async ended(isComplete) {
          if (isComplete) await writeLastExpiry(db, now);
        },
      };
    },
    onError,
  });
}

/** @returns `kept` if the order waits no longer, or money or a loan for it has come */
async function expire(
  { id, version }: ExpiringOrder,
  { cancelOrder, term }: Dependencies,
): Promise<"expired" | "kept" | "undecided"> {
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
      return "expired";
    case "undecided":
      return "undecided";
    case "unchanged":
    case "loan-under-way":
    case "paid":
    case "refused":
    case "overtaken":
    case "not-found":
      return "kept";
  }
}
