import { sql } from "kysely";
import type { Database, Queries } from "../../platform/database/database.ts";
import { createLeasedBatchJob, type JobTimes } from "../../platform/database/leased-batch-job.ts";
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
  ordersInBatch,
  readOrdersByStatus,
} from "../orders/index.ts";
import { type EraseOrder, erasableStatuses } from "./erase-order.ts";

export const eraseTimes: JobTimes = {
  checkInterval: MINUTE,
  runInterval: HOUR,
  maxBackoff: HOUR,
  taskDelay: 20,
};

interface Dependencies {
  readonly database: Pick<Database, "db" | "now" | "truncateLog">;
  /** How many days personal data is kept after an order was delivered or cancelled. */
  readonly retainDays: number;
  readonly eraseOrder: EraseOrder;
  readonly times: JobTimes;
  readonly clockAhead: ClockAhead;
  /** Called after a run that has erased orders. */
  readonly onErased: (orders: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Erases the personal data of old orders, in one process at a time. An order with open money is
 * retried in the next run. Erasing cannot be undone, so nothing is erased until the clock is known
 * to be right.
 */
export function createEraseOldOrders(dependencies: Dependencies): Worker {
  const { database, retainDays, eraseOrder, times, clockAhead, onErased, onError } = dependencies;
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
          if (outcome.kind === "erased") count += 1;
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

/** A delivered or cancelled order. Times are in epoch milliseconds. */
interface Candidate extends FoundOrder {
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
  const endedAt = await findEnds(db, ids);
  return orders.map((order) => ({
    ...order,
    status: request.status,
    endedAt: endedAt.get(order.id) ?? order.created_at,
  }));
}

/** Returns when the orders were delivered or cancelled. */
async function findEnds(db: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_events")
    .select(["order_id", "at"])
    .where("order_id", "in", ids)
    .where("to_status", "in", erasableStatuses)
    .whereRef("from_status", "<>", "to_status")
    .execute();
  return new Map(rows.map(({ order_id, at }) => [order_id, at]));
}
