import { paths, todaySchema } from "@keepsats/protocol";
import type { CommittedOrder } from "./committed.ts";
import { STAFF } from "./shop.ts";
import type { World } from "./world.ts";

const paid = ["PaymentProcessed", "Shipped", "Delivered"];

/** Compares the figures that the server answers with a recount of all orders and loans. */
export function checkFigures(world: World): void {
  const expected = recounted(world);
  const before = world.committed.state();
  world.shop?.request(
    { method: "GET", url: paths.merchant.today, headers: STAFF },
    ({ statusCode, json }) => {
      if (statusCode !== 200 || world.committed.state() !== before) return;
      const { orders_by_status, days, order_to_payment, loans } = todaySchema.parse(json());
      const answered = JSON.stringify({
        byStatus: orders_by_status
          .filter(({ orders }) => orders > 0)
          .map(({ status, orders }) => `${status} ${orders}`)
          .sort(),
        placed: sumOf(days, ({ placed }) => placed),
        paid: sumOf(days, (day) => day.paid),
        cents: sumOf(days, ({ paid_amount }) => paid_amount),
        everPaid: sumOf(order_to_payment, ({ orders }) => orders),
        loans: sumOf(Object.values(loans), (count) => count),
      });
      if (answered !== expected)
        world.fail("figures-wrong", `the figures are ${answered}; a recount gives ${expected}`);
    },
  );
}

function recounted({ state }: World): string {
  const orders = [...state.orders.values()];
  const accepted = new Map(
    state.mismatches.flatMap(({ orderId, cents, resolution }) =>
      resolution === "accepted" && cents !== null ? [[orderId, cents]] : [],
    ),
  );
  const paidOrders = orders.filter(({ status }) => paid.includes(status));
  const byStatus = Map.groupBy(orders, ({ status }) => status);
  return JSON.stringify({
    byStatus: [...byStatus].map(([status, some]) => `${status} ${some.length}`).sort(),
    placed: orders.length,
    paid: paidOrders.length,
    cents: sumOf(paidOrders, ({ id, total }) => Math.min(accepted.get(id) ?? total, total)),
    everPaid: orders.filter(wasPaid).length,
    loans: state.contracts.size,
  });
}

function wasPaid({ events }: CommittedOrder): boolean {
  return events.some(({ from, to }) => to === "PaymentProcessed" && from !== to);
}

function sumOf<Row>(rows: readonly Row[], numberOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}
