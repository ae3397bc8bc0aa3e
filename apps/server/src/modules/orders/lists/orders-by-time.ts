import type { Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import type { StoredStatus } from "../order.ts";
import type { OrderFilter, PageRequest } from "./order-filter.ts";

/** All orders if `status` is `undefined`. */
type StatusFilter = Pick<OrderFilter, "from" | "before" | "oldestFirst"> & {
  readonly status: StoredStatus | undefined;
};

/**
 * The newest or oldest orders of one status, or of all. One index sorts the orders of each status by
 * time, and another one all orders; no index serves several statuses.
 */
export function queryByTime(
  db: Queries,
  { status, from, before, oldestFirst = false }: StatusFilter,
  { cursor, limit }: PageRequest,
) {
  const direction = oldestFirst ? "asc" : "desc";
  let query = db
    .selectFrom("orders")
    .orderBy("created_at", direction)
    .orderBy("id", direction)
    .limit(limit);
  if (status !== undefined) query = query.where("status", "=", status);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (before !== undefined) query = query.where("created_at", "<", before);
  if (cursor === undefined) return query;
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple("created_at", "id"), oldestFirst ? ">" : "<", tuple(cursor.created_at, cursor.id)),
  );
}

/** The most orders that one query reads. */
const ORDERS_PER_BATCH = 50;

/** An order in a search through all orders of some statuses. */
export interface FoundOrder {
  readonly id: string;
  readonly status: StoredStatus;
  readonly created_at: number;
}

/** The next batch of a search; `after` is the last order of the batch before. */
export interface BatchRequest {
  readonly status: StoredStatus;
  readonly after: Pick<FoundOrder, "created_at" | "id"> | undefined;
}

/**
 * Reads orders batch by batch, one status after another.
 *
 * @param after the last order of an unfinished search, which is continued
 * @param readBatch reads the next orders of one status, oldest first; fewer than
 *   {@link ORDERS_PER_BATCH} are the last ones
 */
export async function* readOrdersByStatus<Found extends FoundOrder>(
  statuses: readonly StoredStatus[],
  after: FoundOrder | undefined,
  readBatch: (request: BatchRequest) => Promise<Found[]>,
): AsyncGenerator<Found> {
  const first = after === undefined ? 0 : statuses.indexOf(after.status);
  for (const status of statuses.slice(Math.max(0, first))) {
    const start = after?.status === status ? after : undefined;
    const batches = readInBatches<Found>(ORDERS_PER_BATCH, (last) =>
      readBatch({ status, after: last ?? start }),
    );
    for await (const orders of batches) yield* orders;
  }
}

/** The query of one batch: the orders of its status that were placed before a time, oldest first. */
export function ordersInBatch(db: Queries, before: number, { status, after }: BatchRequest) {
  const page = { cursor: after, limit: ORDERS_PER_BATCH };
  return queryByTime(db, { status, before, oldestFirst: true }, page).select([
    "id",
    "status",
    "created_at",
  ]);
}
