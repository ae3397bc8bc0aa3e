import { sql } from "kysely";
import type { Database, Queries } from "../db/database.ts";
import type { Loop } from "../loop.ts";
import {
  type ClockAhead,
  createPasses,
  GROUP,
  isClockRight,
  type OrderPlace,
  type Part,
  readByStatus,
} from "../payments/index.ts";
import { type EraseOrder, erasableStatuses } from "./erase-order.ts";

/** In milliseconds. */
export interface EraseTimes {
  /** How often a process looks whether a pass is due. */
  readonly eraseTick: number;
  /**
   * The time from the beginning of a pass to the next one, after a failure too; a pass that takes
   * longer is continued then.
   */
  readonly erasePass: number;
  /** The pause after each order, so that a long pass leaves time for requests. */
  readonly erasePause: number;
}

export const eraseTimes: EraseTimes = {
  eraseTick: 60_000,
  erasePass: 60 * 60_000,
  erasePause: 20,
};

interface Dependencies {
  readonly database: Pick<Database, "db" | "now" | "truncateLog">;
  /** How long personal data is kept after an order was delivered or cancelled. */
  readonly retainDays: number;
  readonly eraseOrder: EraseOrder;
  readonly times: EraseTimes;
  readonly clockAhead: ClockAhead;
  /** Called after a pass that has erased orders. */
  readonly onErased: (orders: number) => void;
  readonly onError: (error: unknown) => void;
}

const DAY = 24 * 60 * 60_000;

/**
 * Erases the personal data of orders so many days after they were delivered or cancelled, in one
 * process at a time. An order with open money is looked at again in the next pass. Erasing
 * cannot be undone, so nothing is erased while it is not known whether the clock is right.
 */
export function createEraseOldOrders(dependencies: Dependencies): Loop {
  const { database, retainDays, eraseOrder, times, clockAhead, onErased, onError } = dependencies;
  return createPasses<Candidate>({
    lease: "erase-old-orders",
    database,
    times: {
      tick: times.eraseTick,
      pass: times.erasePass,
      longest: times.erasePass,
      pause: times.erasePause,
    },
    mayBegin() {
      const ahead = clockAhead();
      return ahead !== undefined && isClockRight(ahead);
    },
    async begin(now) {
      const before = now - retainDays * DAY;
      let count = 0;
      return {
        items: (after) =>
          readByStatus(erasableStatuses, after, (part) => readGroup(database.db, before, part)),
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

/** An order at its end; times in epoch milliseconds. */
interface Candidate extends OrderPlace {
  readonly endedAt: number;
}

/** The condition of the partial index, as literals of SQL: only then SQLite uses it. */
const isErasable = sql<boolean>`status IN (${sql.join(erasableStatuses.map((status) => sql.lit(status)))})`;

/** Reads the next orders that are at their end and were placed before a time. */
async function readGroup(
  db: Queries,
  before: number,
  { status, after }: Part,
): Promise<Candidate[]> {
  const orders = await db
    .selectFrom("orders")
    .select(["id", "created_at as createdAt"])
    .where(isErasable)
    .where("erased_at", "is", null)
    .where("status", "=", status)
    .where("created_at", "<", before)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), ">", tuple(after?.createdAt ?? 0, after?.id ?? "")),
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(GROUP)
    .execute();
  const ids = orders.map(({ id }) => id);
  const endedAt = await endsOf(db, ids);
  return orders.map((order) => ({
    ...order,
    status,
    endedAt: endedAt.get(order.id) ?? order.createdAt,
  }));
}

/** When orders were delivered or cancelled. */
async function endsOf(db: Queries, ids: readonly string[]): Promise<Map<string, number>> {
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
