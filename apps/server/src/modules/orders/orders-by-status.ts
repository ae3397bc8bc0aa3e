import type { Queries } from "../../platform/database/database.ts";
import { readInBatches } from "../../platform/database/read-in-batches.ts";
import type { StoredStatus } from "./order.ts";
import { queryByTime } from "./order-filter.ts";

/** The most orders that one query reads. */
const ORDERS_PER_BATCH = 50;

/** An order in a search through all orders of some statuses. */
export interface FoundOrder {
  readonly id: string;
  readonly status: StoredStatus;
  readonly created_at: number;
}

/** The next batch of a search; `after` is the last order of the batch before. */
export interface BatchRequest<Status extends StoredStatus = StoredStatus> {
  readonly status: Status;
  readonly after: Pick<FoundOrder, "created_at" | "id"> | undefined;
}

/**
 * Reads orders batch by batch, one status after another.
 *
 * @param after the last order of an unfinished search, which is continued
 * @param readBatch reads the next orders of one status, oldest first; fewer than
 *   {@link ORDERS_PER_BATCH} are the last ones
 */
export async function* readOrdersByStatus<Status extends StoredStatus, Found extends FoundOrder>(
  statuses: readonly Status[],
  after: FoundOrder | undefined,
  readBatch: (request: BatchRequest<Status>) => Promise<Found[]>,
): AsyncGenerator<Found> {
  const names: readonly StoredStatus[] = statuses;
  const first = after === undefined ? 0 : names.indexOf(after.status);
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
  const cursor = after && ({ by: "time", created_at: after.created_at, id: after.id } as const);
  const page = { cursor, limit: ORDERS_PER_BATCH };
  return queryByTime(db, { status, before, oldestFirst: true }, page).select(["id", "created_at"]);
}
