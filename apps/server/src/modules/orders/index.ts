import { shortOrderId } from "@keepsats/domain";
import type { FastifyInstance } from "fastify";
import { Histogram } from "prom-client";
import { csrfProtection } from "../../platform/http/csrf.ts";
import { rateLimit } from "../../platform/http/route.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CurrentTimeZone } from "../../platform/scheduling/calendar-day.ts";
import { DAY, MINUTE } from "../../platform/scheduling/clock.ts";
import type { Stock } from "../catalogue/index.ts";
import { createAmendOrder, createRecordFailedAttempt } from "./changing/amend-order.ts";
import { createChangeStatuses } from "./changing/change-status.ts";
import { correctOrderRoute, createCorrections } from "./changing/correct-order.ts";
import { moveOrderRoute } from "./changing/move-order-routes.ts";
import { addNoteRoute, createAddNote } from "./changing/notes.ts";
import { customerOrderRoutes } from "./customer-routes.ts";
import { createCheckKey, requireOrderKey } from "./keys/check-order-key.ts";
import { createOrderKeys, replaceOrderKeysRoute } from "./keys/order-keys.ts";
import { countOrdersRoute } from "./lists/count-orders.ts";
import { listOrdersRoutes } from "./lists/list-orders-routes.ts";
import type { PaymentHooks } from "./payment-hooks.ts";
import { createPlaceOrder } from "./placing/place-order.ts";
import { placeOrderRoute } from "./placing/place-order-routes.ts";
import { createReplaceOrder } from "./placing/replace-order.ts";
import { createRestockLines } from "./refund-lines.ts";
import { createReturns } from "./returns/returns.ts";
import { returnRoutes } from "./returns/routes.ts";
import { showOrderRoutes } from "./show-order-routes.ts";

export type { ChangeStatuses } from "./changing/change-status.ts";
export { anyCaseOrderIdSchema } from "./customer-routes.ts";
export { type CheckKey, noOrderForKey, requireOrderKey } from "./keys/check-order-key.ts";
export type { OrderKeys } from "./keys/order-keys.ts";
export {
  type BatchRequest,
  type FoundOrder,
  ordersInBatch,
  readOrdersByStatus,
} from "./lists/orders-by-time.ts";
export type { Order, StoredStatus } from "./order.ts";
export { findOrderNumber, hasOrders, orderNumberSql } from "./order-number.ts";
export {
  findLastEventTimes,
  findOrder,
  findOrders,
  findReferences,
  findStates,
  findStatusesAt,
  listEvents,
  type OrderReference,
  type OrderState,
} from "./order-repository.ts";
export { orderParams, orderRoute } from "./order-route.ts";
export type {
  CancellationOutcome,
  MoveOutcome,
  OpenLoan,
  PaymentHooks,
  StaffMove,
} from "./payment-hooks.ts";
export { clearOrder } from "./personal-data.ts";
export { findRefundLinesOfOrder, type GrantedLine, storeRefundLines } from "./refund-lines.ts";
export { countReturns, findReturnsOfOrder } from "./returns/return-repository.ts";
export type { CustomerReturns } from "./returns/returns.ts";

/** The rate limit of wrong order keys per address and minute. */
const WRONG_KEYS = 10;

interface Dependencies {
  readonly stock: Stock;
  /** The origin of the storefront. */
  readonly publicUrl: string;
  /** Orders per address, in a minute and in a day. */
  readonly limits: { readonly orders: number; readonly ordersDaily: number };
  /** How many days after delivery customers can request a return; 0 for never. */
  readonly returnDays: () => number;
  readonly timeZone: CurrentTimeZone;
}

export type Orders = Awaited<ReturnType<typeof createOrders>>;

/** Placing, showing, moving and correcting orders, and their keys. */
export async function createOrders(platform: Platform, dependencies: Dependencies) {
  const { database, bus, now, newId, metrics, log } = platform;
  const { emitEvents } = platform.outbox;
  const { stock, publicUrl, limits, returnDays, timeZone } = dependencies;
  const { db } = database;
  const keys = await createOrderKeys(platform);
  const checkKey = createCheckKey({
    isKeyOf: keys.isKeyOf,
    limit: platform.createLimit({ kind: "order-keys", max: WRONG_KEYS, window: MINUTE }),
    onRefused: platform.onRefused,
  });
  const countChange = createStatusMetrics(metrics);
  const amendOrder = createAmendOrder({ bus, now, emitEvents });
  const changeStatuses = createChangeStatuses({
    bus,
    now,
    emitEvents,
    restock: stock.restock,
    onChanged: ({ orderId, from, to, by: { kind: by }, age }) => {
      countChange(to, age);
      log.info({ order: shortOrderId(orderId), from, to, by }, "order moved");
    },
  });
  const placeDependencies = { database, stock, bus, now, newId, emitEvents };
  const corrections = createCorrections({ database, amendOrder });
  const restockLines = createRestockLines(stock.restock);
  const returns = createReturns({ database, amendOrder, restockLines, now, newId, returnDays });

  function customerRoutes(app: FastifyInstance, { cancelOrder, refundedFor }: PaymentHooks): void {
    const limit = platform.createLimit(
      { kind: "orders", max: limits.orders, window: MINUTE },
      { kind: "orders-daily", max: limits.ordersDaily, window: DAY },
    );
    placeOrderRoute(app, {
      checkKey,
      keyOf: keys.keyOf,
      limit,
      publicUrl,
      placeOrder: createPlaceOrder(placeDependencies),
      replaceOrder: createReplaceOrder({ ...placeDependencies, cancelOrder }),
    });
    const onRead = [csrfProtection(publicUrl), requireOrderKey(checkKey)];
    const onChange = [...onRead, rateLimit(limit)];
    customerOrderRoutes(app, {
      db,
      correctAddress: corrections.correctAddress,
      cancelOrder,
      refundedFor,
      returns,
      onRead,
      onChange,
    });
  }

  function adminRoutes(app: FastifyInstance, { moveOrder, describeMoney }: PaymentHooks): void {
    listOrdersRoutes(app, db, timeZone);
    countOrdersRoute(app, db, timeZone);
    showOrderRoutes(app, db, describeMoney);
    moveOrderRoute(app, db, moveOrder);
    correctOrderRoute(app, db, corrections);
    returnRoutes(app, db, returns);
    addNoteRoute(app, db, createAddNote({ database, amendOrder }));
    replaceOrderKeysRoute(app, keys, now);
  }

  return {
    amendOrder,
    changeStatuses,
    recordFailedAttempt: createRecordFailedAttempt(amendOrder),
    restockLines,
    returns,
    keys,
    checkKey,
    customerRoutes,
    adminRoutes,
    close: keys.close,
  };
}

/** @returns a function that counts a status change of an order, with its age in milliseconds */
function createStatusMetrics(metrics: Metrics) {
  const changes = metrics.counter(
    "keepsats_status_changes_total",
    "Status changes of orders",
    "to",
  );
  const orderToPaid = new Histogram({
    name: "keepsats_order_to_paid_seconds",
    help: "Time from placing an order to its payment",
    buckets: [30, 60, 300, 900, 3_600, 14_400, 86_400, 604_800],
    registers: [metrics.registry],
  });
  return (to: string, age: number): void => {
    changes.inc({ to });
    if (to === "PaymentProcessed") orderToPaid.observe(Math.max(0, age) / 1000);
  };
}
