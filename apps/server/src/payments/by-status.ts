import type { StoredStatus } from "../orders/index.ts";

/** How many orders are read at a time. */
export const GROUP = 50;

/** An order as a search by status goes on behind it; the time in epoch milliseconds. */
export interface OrderPlace {
  readonly id: string;
  readonly status: StoredStatus;
  readonly createdAt: number;
}

/** The part of a search that is read next; `after` is the last order of the part before. */
export interface Part<Status extends StoredStatus = StoredStatus> {
  readonly status: Status;
  readonly after: Pick<OrderPlace, "createdAt" | "id"> | undefined;
}

/**
 * Reads orders group by group, one status after another.
 *
 * @param after an order of an earlier, unfinished search, which is continued behind it
 * @param readGroup reads the next orders of one status, oldest first; fewer than {@link GROUP} are
 *   the last ones
 */
export async function* readByStatus<Status extends StoredStatus, Found extends OrderPlace>(
  statuses: readonly Status[],
  after: OrderPlace | undefined,
  readGroup: (part: Part<Status>) => Promise<Found[]>,
): AsyncGenerator<Found> {
  const names: readonly StoredStatus[] = statuses;
  const first = after === undefined ? 0 : names.indexOf(after.status);
  for (const status of statuses.slice(Math.max(0, first))) {
    let last = after?.status === status ? after : undefined;
    for (;;) {
      const group = await readGroup({ status, after: last });
      yield* group;
      last = group.at(-1);
      if (group.length < GROUP) break;
    }
  }
}
