import { canMove, hasOpenMoney, isOrderStatus, shopCurrency } from "@keepsats/domain";
import type { Customer, Purchase } from "../actors/customers.ts";
import type { Report } from "../actors/loan.ts";
import {
  type CommittedEntry,
  type CommittedOrder,
  type State,
  wasPaid,
} from "../committed-state.ts";
import type { World } from "../world.ts";
import { accountOf, balancesIn } from "./accounts.ts";
import { checkMoney } from "./money.ts";
import { checkEmitted } from "./outbox.ts";
import { checkReceipts } from "./receipts.ts";

/** Checks committed data. `before`: the data that was checked last. */
export function checkState(
  world: World,
  customers: readonly Customer[],
  state: State,
  before: State,
): void {
  for (const order of state.orders.values()) {
    checkEvents(world, order);
    checkProof(world, order, state, before.orders.get(order.id));
    if (world.seesEachCommit) checkErasure(world, order, state, before.orders.get(order.id));
  }
  checkEmitted(world, state);
  checkMoney(world, state, before);
  checkReceipts(world, state);
  checkStock(world, state);
  checkBindings(world, state, before);
  checkPurchases(world, customers, state);
}

/** A loan without an order may get one; no loan changes its order. */
function checkBindings(world: World, { loans }: State, before: State): void {
  for (const { id, order_id: was } of before.loans.values()) {
    const is = loans.get(id)?.order_id;
    if (was !== null && was !== is)
      world.fail("pays-two-orders", `${id} was bound to ${was}, and is bound to ${is}`);
  }
}

function isErased(order: CommittedOrder | undefined): boolean {
  return order?.events.some(({ kind }) => kind === "erased") === true;
}

/** An order with open money is not erased. */
function checkErasure(
  world: World,
  order: CommittedOrder,
  state: State,
  before: CommittedOrder | undefined,
): void {
  if (isErased(order) && !isErased(before) && hasOpenMoney(balancesIn(accountOf(order, state))))
    world.fail("erased-with-money", `order ${order.id} is erased, and has open money`);
}

/** Each event is a permitted move from the status of the one before; the last has the order's status. */
function checkEvents(world: World, { id, status, version, events }: CommittedOrder): void {
  let [last] = events;
  if (last === undefined || last.from_status !== null || last.to_status !== "Pending") {
    return world.fail("broken-events", `order ${id} does not start as Pending`);
  }
  for (const event of events.slice(1)) {
    const { from_status, to_status: to } = event;
    const from = from_status ?? "";
    const follows = from === last.to_status && event.version > last.version;
    const isMove = isOrderStatus(from) && isOrderStatus(to) && canMove(from, to);
    const isAllowed = event.kind === "moved" ? isMove : to === from;
    if (!follows || !isAllowed) {
      const detail = `order ${id}: ${last.to_status} is followed by ${from} → ${to}`;
      return world.fail("broken-events", detail);
    }
    last = event;
  }
  if (last.to_status !== status || last.version > version) {
    const detail = `order ${id} is ${status}, and its last event has ${last.to_status}`;
    world.fail("broken-events", detail);
  }
}

/**
 * An order becomes paid by a loan that the provider reported as paid out for it, and that is enough, or
 * by a loan that staff have accepted. Staff can take that back later, and the order stays paid.
 */
function checkProof(
  world: World,
  order: CommittedOrder,
  state: State,
  before: CommittedOrder | undefined,
): void {
  const { id, total } = order;
  if (!wasPaid(order) || (before !== undefined && wasPaid(before))) return;
  const isEnough = ({ orderId, payout }: Report) =>
    orderId === id && payout?.currency === shopCurrency.code && (payout.cents ?? 0) >= total;
  const isWaived = accountOf(order, state).entries.some(isWaivedByDecision);
  // Nothing is waived if the loan is enough, for example if it names another order.
  const isAccepted = state.issues.some(
    ({ order_id, resolution }) => order_id === id && resolution === "accepted",
  );
  const reports = [...world.provider.loans.values()].flatMap((loan) => loan.reports);
  if (!isWaived && !isAccepted && !reports.some(isEnough))
    world.fail("paid-without-proof", `order ${id} is paid, and no loan has paid it`);
}

function isWaivedByDecision({ kind, grant_kind }: CommittedEntry): boolean {
  return kind === "waived" && grant_kind === null;
}

/** No piece of a counted item is sold twice or lost, and each line has taken what was not restocked. */
function checkStock(world: World, { items, lines, orders, refundLines }: State): void {
  for (const { id, stock } of items) {
    if (stock === null) continue;
    const own = lines.filter(({ item_id }) => item_id === id);
    const taken = own.reduce((sum, line) => sum + line.taken, 0);
    if (stock < 0 || stock + taken !== world.initialStock)
      world.fail(
        "stock-wrong",
        `of ${world.initialStock} pieces of ${id} ${stock} are left, and orders have ${taken}`,
      );
    for (const { order_id, position, quantity, taken } of own) {
      const restocked = refundLines
        .filter((line) => line.order_id === order_id && line.position === position)
        .reduce((sum, line) => sum + line.restocked, 0);
      const isCancelled = orders.get(order_id)?.status === "Cancelled";
      const expected = isCancelled ? 0 : quantity - restocked;
      if (taken !== expected)
        world.fail("stock-wrong", `order ${order_id} has taken ${taken} ${id}, not ${expected}`);
    }
  }
}

/** Every acknowledged order is stored, and no purchase has two orders. */
function checkPurchases(world: World, customers: readonly Customer[], state: State): void {
  const byEmail = Map.groupBy(state.orders.values(), ({ customer_email }) => customer_email);
  for (const purchase of customers.flatMap(({ purchases }) => purchases)) {
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
export function checkPages(world: World, customers: readonly Customer[], state: State): void {
  for (const { page } of customers) {
    const shown = page?.shown;
    if (page === undefined || shown === undefined) continue;
    const order = state.orders.get(page.subscription.orderId);
    const attemptFailed = order?.attempt_failed === 1;
    if (order?.status !== shown.status || attemptFailed !== shown.attemptFailed)
      world.fail(
        "stale-page",
        `${page.name} shows ${shown.status}, ${shown.attemptFailed}; the order is ${order?.status}, ${attemptFailed}`,
      );
  }
}
