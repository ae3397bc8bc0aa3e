import { awaitsPayment, orderStatuses } from "@keepsats/domain";
import type { ExpressionBuilder } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { readValue, writeValue } from "../../platform/database/key-values.ts";
import { createLeasedBatchJob, type JobTimes } from "../../platform/database/leased-batch-job.ts";
import type { Tables } from "../../platform/database/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import { type ClockAhead, HOUR, isClockRight } from "../../platform/scheduling/clock.ts";
import type { Worker } from "../../platform/scheduling/periodic-worker.ts";
import {
  type BatchRequest,
  type FoundOrder,
  findLastEventTimes,
  ordersInBatch,
  type PaymentHooks,
  readOrdersByStatus,
} from "../orders/index.ts";
import { isUnresolved } from "./issues/issue-repository.ts";
import { lastSweepBegan } from "./loans/sweep.ts";

/**
 * The maximum age of an unpaid order, in terms. A failed attempt restarts the term, but requesting
 * a loan is free, so attempts must not hold stock forever.
 */
export const MAX_TERMS = 3;

/**
 * Cancels orders that have waited for their payment for the whole term, in one process at a time.
 *
 * - The term starts when the order is placed, and again when a payment attempt ends.
 * - {@link MAX_TERMS} terms after the order was placed, a payment attempt starts no new term.
 * - An active loan for the order blocks the cancellation.
 * - A complete sweep, begun after the term, must have found no loan for the order.
 * - The provider must have answered about every loan that was presented for the order.
 *
 * So while the provider is unreachable, no order expires.
 */
export function createExpireOrders({
  database,
  term,
  times,
  cancelOrder,
  clockAhead,
  onExpired,
  onError,
}: Pick<Platform, "database" | "onError"> & {
  /** How long an order may wait for its payment, in milliseconds. */
  readonly term: number;
  readonly times: JobTimes;
  readonly cancelOrder: PaymentHooks["cancelOrder"];
  readonly clockAhead: ClockAhead;
  readonly onExpired: () => void;
}): Worker {
  const { db } = database;
  const hours = Math.round(term / HOUR);
  const within = hours === 1 ? "within an hour" : `within ${hours} hours`;
  const reason = `expired: not paid ${within}`;
  const message = `The order was not paid ${within}.`;

  async function expire({ id, version }: ExpiringOrder): Promise<"done" | "undecided"> {
    const outcome = await cancelOrder(id, { kind: "shop" }, { reason, message, version });
    if (outcome?.kind === "cancelled") onExpired();
    const isUndecided = outcome?.kind === "refused" && outcome.code === "unavailable";
    return isUndecided ? "undecided" : "done";
  }

  return createLeasedBatchJob<ExpiringOrder>({
    lease: "expire-orders",
    database,
    times,
    mayBegin: () => isClockRight(clockAhead() ?? 0),
    async begin(now) {
      const before = (await lastSweepBegan(db, now)) - term;
      return {
        tasks: (after) => findExpiringOrders(db, before, after),
        async handle(order) {
          const isTooOld = order.created_at < before - (MAX_TERMS - 1) * term;
          if (order.waitsSince >= before && !isTooOld) return "skipped";
          return expire(order);
        },
        async ended(isComplete) {
          if (isComplete) await writeValue(db, LAST_EXPIRY, String(now));
        },
      };
    },
    onError,
  });
}

/** An order that is old enough to expire; times in epoch milliseconds. */
interface ExpiringOrder extends FoundOrder {
  readonly version: number;
  /** When it was placed, or when its last payment attempt began or ended. */
  readonly waitsSince: number;
}

const expiringStatuses = orderStatuses.filter(awaitsPayment);

/**
 * Reads the orders that await payment, were placed before a time, and are not known to have a loan
 * in progress or money that does not pay them.
 */
function findExpiringOrders(db: Queries, before: number, after: ExpiringOrder | undefined) {
  return readOrdersByStatus(expiringStatuses, after, (request) => readBatch(db, before, request));
}

/** The query of one batch, which the index `orders_by_status` answers. */
export function batchQuery(db: Queries, before: number, request: BatchRequest) {
  return ordersInBatch(db, before, request)
    .select("version")
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("loans")
            .select("loans.id")
            .whereRef("loans.order_id", "=", "orders.id")
            .where((eb) =>
              eb.or([
                eb("loans.state", "in", ["active", "unknown"]),
                eb.and([
                  eb("loans.state", "=", "paid-out"),
                  eb.or([eb("loans.refusal", "is", null), hasOpenIssue(eb)]),
                ]),
              ]),
            ),
        ),
      ),
    );
}

function hasOpenIssue({ exists, selectFrom }: ExpressionBuilder<Tables, "loans">) {
  return exists(
    selectFrom("payment_issues")
      .select("payment_issues.id")
      .whereRef("payment_issues.loan_id", "=", "loans.id")
      .whereRef("payment_issues.order_id", "=", "loans.order_id")
      .where(isUnresolved),
  );
}

async function readBatch(
  db: Queries,
  before: number,
  request: BatchRequest,
): Promise<ExpiringOrder[]> {
  const orders = await batchQuery(db, before, request).execute();
  const ids = orders.map(({ id }) => id);
  const times = await findLastEventTimes(db, ids, ["placed", "moved", "attempt-failed"]);
  return orders.map((order) => ({ ...order, waitsSince: times.get(order.id) ?? order.created_at }));
}

/** In the key-value table. Existing shops have stored it, so the name stays. */
const LAST_EXPIRY = "expiry-last-look";

/** When a process last completed a run; 0 for never. */
export async function readLastExpiry(db: Queries): Promise<number> {
  return Number(await readValue(db, LAST_EXPIRY)) || 0;
}
