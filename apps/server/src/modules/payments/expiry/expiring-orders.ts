import { awaitsPayment, type OrderStatus, orderStatuses } from "@keepsats/domain";
import type { ExpressionBuilder } from "kysely";
import type { Queries } from "../../../platform/database/database.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import {
  type BatchRequest,
  type FoundOrder,
  ordersInBatch,
  readOrdersByStatus,
} from "../../orders/index.ts";
import { isUnresolved } from "../issues/issue-repository.ts";

/** An order that is old enough to expire; times in epoch milliseconds. */
export interface ExpiringOrder extends FoundOrder {
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
export function findExpiringOrders(
  db: Queries,
  before: number,
  after?: ExpiringOrder,
): AsyncGenerator<ExpiringOrder> {
  return readOrdersByStatus(expiringStatuses, after, (request) => readBatch(db, before, request));
}

/** The query of one batch, which the index `orders_by_status` answers. */
export function batchQuery(db: Queries, before: number, request: BatchRequest<OrderStatus>) {
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
  request: BatchRequest<OrderStatus>,
): Promise<ExpiringOrder[]> {
  const orders = await batchQuery(db, before, request).execute();
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
    status: request.status,
    waitsSince: movedAt.get(order.id) ?? order.created_at,
  }));
}
