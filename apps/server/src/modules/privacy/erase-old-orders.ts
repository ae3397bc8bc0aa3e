import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { createLeasedBatchJob, type JobTimes } from "../../platform/database/leased-batch-job.ts";
import type { Platform } from "../../platform/platform.ts";
import {
  type ClockAhead,
  DAY,
  HOUR,
  isClockRight,
  MINUTE,
} from "../../platform/scheduling/clock.ts";
import type { Worker } from "../../platform/scheduling/periodic-worker.ts";
import {
  type BatchRequest,
  type FoundOrder,
  findLastEventTimes,
  ordersInBatch,
  readOrdersByStatus,
} from "../orders/index.ts";
import { type EraseOrder, erasableStatuses } from "./erase-order.ts";

export const eraseTimes: JobTimes = {
  checkInterval: MINUTE,
  runInterval: HOUR,
  taskDelay: 20,
};

/**
 * Erases the personal data of old orders, in one process at a time. An order with open money is
 * retried in the next run. Erasing cannot be undone, so nothing is erased until the clock is known
 * to be right.
 */
export function createEraseOldOrders({
  database,
  onError,
  retainDays,
  eraseOrder,
  times,
  clockAhead,
  onErased,
}: Pick<Platform, "database" | "onError"> & {
  /** How many days personal data is kept after an order was delivered or cancelled. */
  readonly retainDays: number;
  readonly eraseOrder: EraseOrder;
  readonly times: JobTimes;
  readonly clockAhead: ClockAhead;
  /** Called after a run that has erased orders. */
  readonly onErased: (orders: number) => void;
}): Worker {
  return createLeasedBatchJob<Candidate>({
    lease: "erase-old-orders",
    database,
    times,
    mayBegin() {
      const ahead = clockAhead();
      return ahead !== undefined && isClockRight(ahead);
    },
    async begin(now) {
      const before = now - retainDays * DAY;
      let count = 0;
      return {
        tasks: (after) =>
          readOrdersByStatus(erasableStatuses, after, (request) =>
            readBatch(database.db, before, request),
          ),
        async handle({ id, endedAt }) {
          if (endedAt >= before) return "skipped";
          const outcome = await eraseOrder(id, { kind: "shop" });
          if (outcome?.kind === "erased") count += 1;
          return "done";
        },
        async ended() {
          if (count === 0) return;
          await database.truncateLog();
          onErased(count);
        },
      };
    },
    onError,
  });
}

interface Candidate extends FoundOrder {
  /** When it was delivered or cancelled, in epoch milliseconds. */
  readonly endedAt: number;
}

/**
 * The condition of the partial index. SQLite uses the index only if the values are SQL literals.
 */
const isErasable = sql<boolean>`status IN (${sql.join(erasableStatuses.map((status) => sql.lit(status)))})`;

/** Returns the next orders of a status that were placed before a time. */
async function readBatch(db: Queries, before: number, request: BatchRequest): Promise<Candidate[]> {
  const orders = await ordersInBatch(db, before, request)
    .where(isErasable)
    .where("erased_at", "is", null)
    .execute();
  const ids = orders.map(({ id }) => id);
  // No status follows an erasable one, so the last move led to it.
  const times = await findLastEventTimes(db, ids, ["moved"]);
  return orders.map((order) => ({ ...order, endedAt: times.get(order.id) ?? order.created_at }));
}
