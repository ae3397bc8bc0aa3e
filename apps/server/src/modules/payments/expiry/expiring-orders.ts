import { awaitsPayment, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { ExpressionBuilder } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { StoredStatus } from "../../orders/index.ts";
import { isOpen } from "../issues/issue-repository.ts";

/** The most orders that one query reads. */
export const GROUP = 50;

export interface OrderPlace {
  readonly id: string;
  readonly status: StoredStatus;
  readonly createdAt: number;
}

/** The next part of a search; `after` is the last order of the part before. */
export interface Part<Status extends StoredStatus = StoredStatus> {
  readonly status: Status;
  readonly after: Pick<OrderPlace, "createdAt" | "id"> | undefined;
}

/**
 * Reads orders group by group, one status after another.
 *
 * @param after the last order of an unfinished search, which is continued
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

/** An order that is old enough to expire; times in epoch milliseconds. */
export interface ExpiringOrder extends OrderPlace {
  readonly status: OrderStatus;
  readonly version: number;
  /** When it was placed, or when its last payment attempt began or ended. */
  readonly waitsSince: number;
}

const expiringStatuses = orderStatuses.filter(awaitsPayment);

/**
 * Reads the orders that await payment, were placed before a time, and are not known to have a loan
 * in progress or money that does not pay them.
 */
export function expiringOrders(
  db: Queries,
  before: number,
  after?: ExpiringOrder,
): AsyncGenerator<ExpiringOrder> {
  return readByStatus(expiringStatuses, after, (part) => readGroup(db, before, part));
}

/** The query of one group, which the index `orders_by_status` answers. */
export function groupQuery(db: Queries, before: number, { status, after }: Part<OrderStatus>) {
  return db
    .selectFrom("orders")
    .select(["id", "version", "created_at as createdAt"])
    .where("status", "=", status)
    .where("created_at", "<", before)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), ">", tuple(after?.createdAt ?? 0, after?.id ?? "")),
    )
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
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(GROUP);
}

function hasOpenIssue({ exists, selectFrom }: ExpressionBuilder<Tables, "loans">) {
  return exists(
    selectFrom("payment_issues")
      .select("payment_issues.id")
      .whereRef("payment_issues.loan_id", "=", "loans.id")
      .whereRef("payment_issues.order_id", "=", "loans.order_id")
      .where(isOpen),
  );
}

async function readGroup(
  db: Queries,
  before: number,
  part: Part<OrderStatus>,
): Promise<ExpiringOrder[]> {
  const orders = await groupQuery(db, before, part).execute();
  if (orders.length === 0) return [];
  const moves = await db
    .selectFrom("order_events")
    .select((eb) => ["order_id", eb.fn.max("at").as("at")])
    .where(
      "order_id",
      "in",
      orders.map(({ id }) => id),
    )
    .where("kind", "in", ["placed", "moved", "attempt-failed"])
    .groupBy("order_id")
    .execute();
  const movedAt = new Map(moves.map(({ order_id, at }) => [order_id, Number(at)]));
  return orders.map((order) => ({
    ...order,
    status: part.status,
    waitsSince: movedAt.get(order.id) ?? order.createdAt,
  }));
}
