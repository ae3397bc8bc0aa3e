import type { CommittedFigure, CommittedOrder } from "./committed.ts";
import type { World } from "./world.ts";

const paid = ["PaymentProcessed", "Shipped", "Delivered"];

/**
 * Compares the figures that the server keeps with a recount of all orders and loans. Days and times
 * are added up.
 */
export function checkFigures(world: World): void {
  const kept = inWords(sums(world.committed.figures().map(withoutLabel)));
  const orders = [...world.state.orders.values()];
  const accepted = new Map(
    world.state.mismatches.flatMap(({ orderId, cents, resolution }) =>
      resolution === "accepted" ? [[orderId, cents ?? undefined]] : [],
    ),
  );
  const loans = [...world.state.contracts.values()].map(({ meaning }) => one("loan", meaning));
  const recounted = inWords(
    sums([...orders.flatMap((order) => figuresOf(order, accepted.get(order.id))), ...loans]),
  );
  if (kept !== recounted)
    world.fail("figures-wrong", `the figures are ${kept}; a recount gives ${recounted}`);
}

function one(figure: string, label: string, cents = 0): CommittedFigure {
  return { figure, label, orders: 1, cents };
}

function figuresOf({ status, total, events }: CommittedOrder, accepted = total): CommittedFigure[] {
  const wasPaid = events.some(({ from, to }) => to === "PaymentProcessed" && from !== to);
  return [
    one("status", status),
    one("placed", ""),
    ...(paid.includes(status) ? [one("paid", "", accepted)] : []),
    ...(wasPaid ? [one("wait", "")] : []),
  ];
}

function withoutLabel(figure: CommittedFigure): CommittedFigure {
  return ["placed", "paid", "wait"].includes(figure.figure) ? { ...figure, label: "" } : figure;
}

function sums(figures: readonly CommittedFigure[]): CommittedFigure[] {
  const byName = Map.groupBy(figures, ({ figure, label }) => `${figure} ${label}`);
  return [...byName.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const orders = some.reduce((sum, figure) => sum + figure.orders, 0);
    return { ...first, orders, cents: some.reduce((sum, figure) => sum + figure.cents, 0) };
  });
}

function inWords(figures: readonly CommittedFigure[]): string {
  return figures
    .map(({ figure, label, orders, cents }) => `${figure} ${label}: ${orders} (${cents})`)
    .sort()
    .join(", ");
}
