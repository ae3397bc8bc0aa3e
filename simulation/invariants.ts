import { canMove, shopCurrency } from "@keepsats/domain";
import { paths } from "@keepsats/protocol";
import { accountOf, hasOpenMoney } from "./accounts.ts";
import type { CommittedEntry, CommittedOrder, State } from "./committed-state.ts";
import type { Customers, Purchase } from "./customers.ts";
import { checkMoves, type LastMove } from "./expiry-invariants.ts";
import { checkMoney } from "./money-invariants.ts";
import { checkEmitted } from "./outbox-invariants.ts";
import type { Loan } from "./provider.ts";
import { checkReturns } from "./return-invariants.ts";
import { INITIAL_STOCK } from "./shop.ts";
import type { World } from "./world.ts";

/** Facts of earlier states. */
export interface Seen {
  /** The order of each loan. */
  readonly bindings: Map<string, string>;
  readonly moves: Map<string, LastMove>;
  readonly erased: Set<string>;
  /** The orders that have been paid. */
  readonly paid: Set<string>;
  /** The states of the returns, by id. */
  readonly returns: Map<string, string>;
  journal: readonly CommittedEntry[];
}

/** Checks the committed data, after every commit. @param seen is brought up to date */
export function checkState(world: World, customers: Customers, state: State, seen: Seen): void {
  for (const order of state.orders.values()) {
    checkEvents(world, order);
    checkProof(world, order, state, seen.paid);
    checkErasure(world, order, state, seen.erased);
  }
  checkMoves(world, state, seen.moves);
  checkEmitted(world, state);
  checkMoney(world, state, seen.journal);
  seen.journal = state.entries;
  checkReturns(world, state, seen.returns);
  checkStock(world, state);
  checkBindings(world, state, seen);
  checkPurchases(world, customers, state);
}

/** A loan without an order may get one; no loan changes its order. */
function checkBindings(world: World, { loans }: State, { bindings }: Seen): void {
  for (const { id, orderId } of loans.values()) {
    const before = bindings.get(id);
    if (before !== undefined && before !== orderId)
      world.fail("pays-two-orders", `${id} was bound to ${before}, and is bound to ${orderId}`);
    if (orderId !== null) bindings.set(id, orderId);
  }
}

/** An order with open money is not erased. */
function checkErasure(
  world: World,
  order: CommittedOrder,
  state: State,
  erased: Set<string>,
): void {
  const { id, events } = order;
  if (erased.has(id) || !events.some(({ kind }) => kind === "erased")) return;
  erased.add(id);
  if (hasOpenMoney(accountOf(order, state)))
    world.fail("erased-with-money", `order ${id} is erased, and has open money`);
}

function wasPaid({ events }: CommittedOrder): boolean {
  return events.some(({ to }) => to === "PaymentProcessed");
}

/** Each event is a permitted move from the status of the one before; the last has the order's status. */
function checkEvents(world: World, { id, status, version, events }: CommittedOrder): void {
  let [last] = events;
  if (last === undefined || last.from !== null || last.to !== "Pending") {
    return world.fail("broken-events", `order ${id} does not start as Pending`);
  }
  for (const event of events.slice(1)) {
    const follows = event.from === last.to && event.version > last.version;
    const isMove = event.kind === "moved";
    if (!follows || (isMove ? !canMove(last.to, event.to) : event.to !== event.from)) {
      return world.fail(
        "broken-events",
        `order ${id}: ${last.to} is followed by ${event.from} → ${event.to}`,
      );
    }
    last = event;
  }
  if (last.to !== status || last.version > version) {
    world.fail("broken-events", `order ${id} is ${status}, and its last event has ${last.to}`);
  }
}

/**
 * An order becomes paid by a loan that the provider reported as paid out for it, and that is enough or
 * accepted. Staff can undo the acceptance later, and the order stays paid.
 */
function checkProof(world: World, order: CommittedOrder, state: State, paid: Set<string>): void {
  const { id, total } = order;
  if (paid.has(id) || !wasPaid(order)) return;
  paid.add(id);
  const loans = [...world.provider.loans.values()];
  const isAccepted = (loan: Loan) =>
    state.issues.some(
      ({ loanId, orderId, resolution }) =>
        loanId === loan.id && orderId === id && resolution === "accepted",
    );
  const isEnough = (loan: Loan) =>
    loan.reports.some(
      ({ orderId, payout }) =>
        orderId === id &&
        payout?.currency === shopCurrency.code &&
        payout.cents !== undefined &&
        payout.cents >= total,
    );
  const isProof = (loan: Loan) => isEnough(loan) || (isAccepted(loan) && wasReported(loan));
  if (!loans.some(isProof))
    world.fail("paid-without-proof", `order ${id} is paid, and no loan has paid it`);
}

function wasReported({ reports }: Loan): boolean {
  return reports.some(({ payout }) => payout !== undefined);
}

/** No piece of a counted item is sold twice or lost. */
function checkStock(world: World, { stock }: State): void {
  for (const { id, left, taken } of stock) {
    if (left < 0 || left + taken !== INITIAL_STOCK)
      world.fail(
        "stock-wrong",
        `of ${INITIAL_STOCK} pieces of ${id} ${left} are left, and orders have ${taken}`,
      );
  }
}

/** Every acknowledged order is stored, and no purchase has two orders. */
function checkPurchases(world: World, customers: Customers, state: State): void {
  const byEmail = Map.groupBy(state.orders.values(), ({ email }) => email);
  for (const purchase of [...customers.values()].flatMap(({ purchases }) => purchases)) {
    const orders = byEmail.get(purchase.body.customer_email) ?? [];
    if (orders.length > 1)
      world.fail("ordered-twice", `${purchase.idempotencyKey} has ${orders.length} orders`);
    checkPlaced(world, purchase, state);
  }
}

function checkPlaced(world: World, { placed, idempotencyKey }: Purchase, state: State): void {
  if (placed === undefined) return;
  const order = state.orders.get(placed.id);
  if (order?.total !== placed.total)
    world.fail(
      "acknowledged-order-lost",
      `${idempotencyKey} has order ${placed.id} of ${placed.total} cents, not ${order?.total}`,
    );
}

/** A page shows the current state of its order. */
export function checkPages(world: World, customers: Customers, state: State): void {
  for (const { page } of customers.values()) {
    const shown = page?.shown;
    if (page === undefined || shown === undefined) continue;
    const order = state.orders.get(page.subscription.orderId);
    if (order?.status !== shown.status || order.attemptFailed !== shown.attemptFailed) {
      world.fail(
        "stale-page",
        `${page.name} shows ${shown.status}, ${shown.attemptFailed}; the order is ${order?.status}, ${order?.attemptFailed}`,
      );
    }
  }
}

/** The shop lists exactly the committed items. */
export function checkList(world: World): void {
  world.shop?.request({ method: "GET", url: paths.items }, ({ statusCode, body }) => {
    const shown: { id: string; price: number }[] = statusCode === 200 ? JSON.parse(body) : [];
    const stored = world.database.items().filter(({ hidden }) => !hidden);
    const list = (items: readonly { id: string; cents: number }[]) =>
      items.map(({ id, cents }) => `${id} ${cents}`).join(", ");
    const listed = list(shown.map(({ id, price }) => ({ id, cents: Math.round(price * 100) })));
    const expected = list(stored.map(({ id, price }) => ({ id, cents: price })));
    if (listed !== expected)
      world.fail("stale-catalogue", `the list has ${listed}; stored are ${expected}`);
  });
}
