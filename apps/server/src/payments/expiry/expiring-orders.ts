import { awaitsPayment, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { ExpressionBuilder } from "kysely";
import type { Queries } from "../../db/database.ts";
import type { Tables } from "../../db/tables.ts";
import { GROUP, type OrderPlace, type Part, readByStatus } from "../by-status.ts";
import { isOpen } from "../issues/issue-repository.ts";

/** An order that was placed long enough ago to expire; times in epoch milliseconds. */
export interface ExpiringOrder extends OrderPlace {
  readonly status: OrderStatus;
  readonly version: number;
  /** When it was placed, or when its last payment attempt began or ended. */
  readonly waitsSince: number;
}

/** The statuses of orders that can expire. */
const expiringStatuses = orderStatuses.filter(awaitsPayment);

/**
 * Reads, group by group, the orders that wait for money, were placed before a time, and are not
 * known to have a loan under way or money that does not pay them. Oldest first, one status after
 * another.
 *
 * @param before in epoch milliseconds
 * @param after an order of an earlier, unfinished search, which is continued behind it
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

/** Whether a payment issue of a loan and its order is open. */
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
    .where("kind", "in", ["placed", "moved", "attempt-over"])
    .groupBy("order_id")
    .execute();
  const movedAt = new Map(moves.map(({ order_id, at }) => [order_id, Number(at)]));
  return orders.map((order) => ({
    ...order,
    status: part.status,
    waitsSince: movedAt.get(order.id) ?? order.createdAt,
  }));
}
