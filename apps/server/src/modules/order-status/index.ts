import type { IncomingMessage, Server } from "node:http";
import { awaitsPayment } from "@keepsats/domain";
import { batchReads } from "../../platform/database/batching.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Platform } from "../../platform/platform.ts";
import { MINUTE } from "../../platform/scheduling/clock.ts";
import { findOrders, findStates, type Orders } from "../orders/index.ts";
import { findPayingLoans, type LoanWorker, refundedFor } from "../payments/index.ts";
import type { OrderForSubscribers } from "./order-message.ts";
import { createOrderStream } from "./order-stream.ts";
import { serveOrderSockets } from "./sockets.ts";

export { orderStreamOperation } from "./upgrade.ts";

interface Dependencies {
  readonly orders: Pick<Orders, "checkKey" | "keys" | "returns">;
  readonly watch: LoanWorker["watch"];
  /** The origin of the storefront. */
  readonly publicUrl: string;
  /** New sockets per minute and open sockets, both per address. */
  readonly limits: { readonly perMinute: number; readonly open: number };
  /** The interval between two pings, in milliseconds. */
  readonly pingInterval: number;
}

/** The live WebSocket of the order page. */
export function createOrderStatus(platform: Platform, dependencies: Dependencies) {
  const { database, bus, onError, rereadInterval, metrics } = platform;
  const { orders, watch, publicUrl, limits, pingInterval } = dependencies;
  const { db } = database;
  const stream = createOrderStream({
    bus,
    watch,
    onError,
    rereadInterval,
    readOrder: batchReads((ids: readonly string[]) =>
      findSubscribedOrders(db, ids, orders.returns),
    ),
    versionsOf: (ids) => findStates(db, ids),
  });
  return {
    /** Serves the sockets on a server's `upgrade` event. */
    serve(server: Server, addressOf: (request: IncomingMessage) => string) {
      const sockets = serveOrderSockets(server, {
        stream,
        publicUrl,
        addressOf,
        limit: platform.createLimit({ kind: "sockets", max: limits.perMinute, window: MINUTE }),
        checkKey: orders.checkKey,
        onRefused: platform.onRefused,
        maxPerAddress: limits.open,
        pingInterval,
      });
      orders.keys.onReplaced(sockets.closeKeyHolders);
      metrics.gauge("keepsats_subscribers", "Open sockets of the order stream", () => sockets.open);
      return sockets;
    },
    close: stream.close,
  };
}

async function findSubscribedOrders(
  db: Queries,
  ids: readonly string[],
  { forCustomers }: Pick<Orders["returns"], "forCustomers">,
): Promise<Map<string, OrderForSubscribers>> {
  const orders = await findOrders(db, ids);
  const paid = [...orders.values()]
    .filter(({ status }) => !awaitsPayment(status))
    .map(({ id }) => id);
  const paidBy = paid.length === 0 ? new Map<string, string[]>() : await findPayingLoans(db, paid);
  const refunded = await refundedFor(db, paid);
  const returns = await forCustomers(db, [...orders.values()]);
  return new Map(
    [...orders].map(([id, order]) => [
      id,
      {
        order,
        paidBy: paidBy.get(id) ?? [],
        refunded: refunded.get(id),
        returns: returns.get(id),
      },
    ]),
  );
}
