import { canMove, currency } from "@keepsats/domain";
import { accountOf, hasOpenMoney } from "./accounts.ts";
import type { CommittedEntry, CommittedOrder, State } from "./committed.ts";
import { checkMoves, type LastMove } from "./expiry-invariants.ts";
import { checkMoney } from "./money-invariants.ts";
import { checkAnnounced } from "./outbox-invariants.ts";
import type { People, Purchase } from "./people.ts";
import type { Loan } from "./provider.ts";
import { SUPPLY } from "./shop.ts";
import type { World } from "./world.ts";

/**
 * What earlier states have shown: the order of each loan, the last move of each order, the erased
 * orders, and the journal.
 */
export interface Seen {
  readonly bindings: Map<string, string>;
  readonly moves: Map<string, LastMove>;
  readonly erased: Set<string>;
  journal: readonly CommittedEntry[];
}

/**
 * Checks the invariants of the committed data, after every commit. @param seen what earlier states
 * have shown
 */
export function checkState(world: World, people: People, state: State, seen: Seen): void {
  for (const order of state.orders.values()) {
    checkEvents(world, order);
    if (wasPaid(order)) checkProof(world, order, state);
    checkErasure(world, order, state, seen.erased);
  }
  checkMoves(world, state, seen.moves);
  checkAnnounced(world, state);
  checkMoney(world, state, seen.journal);
  seen.journal = state.entries;
  checkStock(world, state);
  checkBindings(world, state, seen);
  checkPurchases(world, people, state);
}

/** A loan without an order can find one; no loan changes its order. */
function checkBindings(world: World, { loans }: State, { bindings }: Seen): void {
  for (const { id, orderId } of loans.values()) {
    const before = bindings.get(id);
    if (before !== undefined && before !== orderId)
      world.fail("pays-two-orders", `${id} was bound to ${before}, and is to ${orderId}`);
    if (orderId !== null) bindings.set(id, orderId);
  }
}

/** An order is not erased while somebody must decide about its money. */
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

/**
 * Each event must start at the status where the previous one ended and be a permitted move; the
 * last one must end at the order's status.
 */
function checkEvents(world: World, { id, status, version, events }: CommittedOrder): void {
  let [last] = events;
  if (last === undefined || last.from !== null || last.to !== "Pending") {
    return world.fail("broken-events", `order ${id} does not begin as Pending`);
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
    world.fail("broken-events", `order ${id} is ${status}, and its last event says ${last.to}`);
  }
}

/**
 * An order may be paid only if the provider has reported a paid-out loan for exactly this order,
 * and enough or accepted.
 */
function checkProof(world: World, { id, total }: CommittedOrder, state: State): void {
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
        payout?.currency === currency.code &&
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

/** No piece of a counted item may be sold twice, and none may be lost. */
function checkStock(world: World, { stock }: State): void {
  for (const { id, left, taken } of stock) {
    if (left < 0 || left + taken !== SUPPLY)
      world.fail(
        "pieces-lost",
        `of ${SUPPLY} pieces of ${id} ${left} are left, and orders have ${taken}`,
      );
  }
}

/** Every acknowledged order must be stored, and no purchase may have two orders. */
function checkPurchases(world: World, people: People, state: State): void {
  const byEmail = Map.groupBy(state.orders.values(), ({ email }) => email);
  for (const purchase of [...people.values()].flatMap(({ purchases }) => purchases)) {
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
      "acknowledged-is-gone",
      `${idempotencyKey} has order ${placed.id} of ${placed.total} cents, not ${order?.total}`,
    );
}

/** A page that follows an order must show its current state. */
export function checkPages(world: World, people: People, state: State): void {
  for (const { page } of people.values()) {
    const shown = page?.shown;
    if (page === undefined || shown === undefined) continue;
    const order = state.orders.get(page.following.orderId);
    if (order?.status !== shown.status || order.attemptOver !== shown.attemptOver) {
      world.fail(
        "page-is-behind",
        `${page.name} shows ${shown.status}, ${shown.attemptOver}; the order is ${order?.status}, ${order?.attemptOver}`,
      );
    }
  }
}
