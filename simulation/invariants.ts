import { canMove } from "@keepsats/domain";
import type { CommittedLoan, CommittedOrder, State } from "./committed.ts";
import { checkMoves, type LastMove } from "./expiry-invariants.ts";
import { checkRefunded } from "./money-invariants.ts";
import { checkAnnounced } from "./outbox-invariants.ts";
import type { People, Purchase } from "./people.ts";
import { DOLLARS, type Loan, proving } from "./provider.ts";
import { SUPPLY } from "./shop.ts";
import type { World } from "./world.ts";

/** What earlier states have shown: the order of each loan, and the last move of each order. */
export interface Seen {
  readonly bindings: Map<string, string>;
  readonly moves: Map<string, LastMove>;
}

/**
 * Checks the invariants of the committed data, after every commit. @param seen what earlier states
 * have shown
 */
export function checkState(world: World, people: People, state: State, seen: Seen): void {
  for (const order of state.orders.values()) {
    checkEvents(world, order);
    if (wasPaid(order)) checkProof(world, order, state);
    if (order.status === "Cancelled") checkRefunds(world, order, state);
  }
  checkMoves(world, state, seen.moves);
  checkAnnounced(world, state);
  checkRefunded(world, state);
  checkStock(world, state);
  for (const { id, orderId } of state.loans.values()) {
    const before = seen.bindings.get(id) ?? orderId;
    if (before !== orderId)
      world.fail("pays-two-orders", `${id} was bound to ${before}, and is to ${orderId}`);
    seen.bindings.set(id, orderId);
  }
  checkPurchases(world, people, state);
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
  const isProof = (loan: Loan) =>
    loan.proof?.orderId === id &&
    (loan.proof.cents >= total || isAccepted(loan)) &&
    loan.proof.asset === DOLLARS &&
    // An extension of a loan that pays nothing is money by itself, which the staff may accept
    // (docs/decisions/015).
    (loan.extends === undefined || isAccepted(loan));
  if (!loans.some(isProof))
    world.fail("paid-without-proof", `order ${id} is paid, and no loan has paid it`);
}

/**
 * A paid order that is cancelled must have a payment issue about its money, unless the money was
 * dealt with before.
 */
function checkRefunds(world: World, order: CommittedOrder, state: State): void {
  const hasRefund = state.refunds.some(({ orderId }) => orderId === order.id);
  for (const bound of state.loans.values()) {
    if (bound.orderId !== order.id || bound.state !== "paid-out" || bound.extends !== null)
      continue;
    const isTold = state.issues.some(
      ({ loanId, orderId, kind, resolution }) =>
        loanId === bound.id &&
        orderId === order.id &&
        (kind === "paid-after-cancel" ||
          (kind === "duplicate" && (hasRefund || resolution === "dismissed"))),
    );
    if (!isTold)
      world.fail("refund-not-told", `order ${order.id} is cancelled, and ${bound.id} has paid it`);
  }
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

/** After a complete sweep, every paid-out loan must be accounted for. */
export function checkLoans(world: World, state: State): void {
  const loans = [...world.provider.loans.values()].filter(
    ({ given, status }) => given && proving.has(status),
  );
  for (const loan of loans) checkLoan(world, loan, state);
  for (const order of state.orders.values()) checkSums(world, order, state);
}

function isTold(id: string, { issues }: State): boolean {
  return issues.some(({ loanId }) => loanId === id);
}

/** A paid-out loan must be an order's payment, an extension, or a recorded payment issue. */
function checkLoan(world: World, loan: Loan, state: State): void {
  if (isTold(loan.id, state)) return;
  const bound = state.loans.get(loan.id);
  if (bound?.state === "paid-out" && bound.extends !== null) return;
  const order = bound === undefined ? undefined : state.orders.get(bound.orderId);
  if (bound?.state !== "paid-out" || order === undefined || !wasPaid(order))
    world.fail(
      "loan-unaccounted",
      `${loan.id} (${loan.status}) was paid out, and is neither a payment nor told`,
    );
}

/**
 * One loan pays an order. Its other paid loans must be the extensions that the provider has made,
 * or recorded payment issues.
 */
function checkSums(world: World, { id }: CommittedOrder, state: State): void {
  const paidOut = [...state.loans.values()].filter(
    (bound) => bound.orderId === id && bound.state === "paid-out",
  );
  const loanOf = (bound: CommittedLoan) => world.provider.loans.get(bound.id);
  if (paidOut.some((bound) => loanOf(bound)?.takenBack !== false)) return;
  const payments = paidOut.filter((bound) => bound.extends === null && !isTold(bound.id, state));
  if (payments.length > 1)
    world.fail(
      "second-not-told",
      `order ${id} was paid by ${payments.map((bound) => bound.id).join(" and ")}`,
    );
  const linked = paidOut.filter((bound) => bound.extends !== null).length;
  // A loan that did not pay, such as one that named another order, is none that another one goes on
  // with.
  const paying = new Set(paidOut.map((bound) => bound.id));
  const made = paidOut.filter((bound) => paying.has(loanOf(bound)?.extends ?? "")).length;
  if (linked !== made)
    world.fail(
      "extensions-miscounted",
      `order ${id} has ${made} extensions; ${linked} are known as such`,
    );
}
