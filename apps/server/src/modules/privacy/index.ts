import type { FastifyInstance } from "fastify";
import type { JobTimes } from "../../platform/database/leased-batch-job.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ClockAhead } from "../../platform/scheduling/clock.ts";
import type { Orders } from "../orders/index.ts";
import { createEraseOldOrders } from "./erase-old-orders.ts";
import { createEraseOrder, eraseOrderRoute } from "./erase-order.ts";

export { eraseTimes } from "./erase-old-orders.ts";

/** Erases the personal data of orders, by request and by age. */
export function createPrivacy(
  { database, log, onError }: Platform,
  {
    orders: { amendOrder },
    retainDays,
    times,
    clockAhead,
  }: {
    readonly orders: Pick<Orders, "amendOrder">;
    /** The retention period of personal data in days; `undefined` for no limit. */
    readonly retainDays: number | undefined;
    readonly times: JobTimes;
    readonly clockAhead: ClockAhead;
  },
) {
  const eraseOrder = createEraseOrder({ database, amendOrder });
  return {
    adminRoutes: (app: FastifyInstance) => eraseOrderRoute(app, database.db, eraseOrder),
    workers:
      retainDays === undefined
        ? []
        : [
            createEraseOldOrders({
              database,
              retainDays,
              eraseOrder,
              times,
              clockAhead,
              onError,
              onErased: (erased: number) =>
                log.info({ orders: erased }, "personal data of old orders was erased"),
            }),
          ],
  };
}
