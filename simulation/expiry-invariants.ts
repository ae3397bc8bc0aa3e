import { awaitsPayment } from "@keepsats/domain";
import { MOST_TERMS } from "../apps/server/src/payments/expiry/expire-orders.ts";
import { accountOf, accountsOf, hasOpenMoney } from "./accounts.ts";
import type { CommittedLoan, CommittedOrder, State } from "./committed.ts";
import { TERM } from "./shop.ts";
import type { World } from "./world.ts";

/**
 * The last event that moved an order or ended its payment attempt, and when it was committed, in
 * epoch milliseconds.
 */
export interface LastMove {
  readonly version: number;
  readonly at: number;
  /** When the order was first seen, in epoch milliseconds. */
  readonly placedAt: number;
}

/** The difference between the time of an event and that of its commit, in milliseconds. */
const COMMIT_TAKES = 1_000;
/** How long after its term an order may wait until it expires, in milliseconds. */
const PATIENCE = 2 * 60_000;

/** The kinds of events that move an order or begin its term again. */
const beginnings: ReadonlySet<string> = new Set(["placed", "moved", "attempt-over"]);

/**
 * Checks every new move. @param moves the last moves of the orders in earlier states; it is brought
 * up to date
 */
export function checkMoves(world: World, state: State, moves: Map<string, LastMove>): void {
  for (const order of state.orders.values()) {
    const move = order.events.findLast(({ kind }) => beginnings.has(kind));
    const before = moves.get(order.id);
    if (move === undefined || move.version === before?.version) continue;
    const { now } = world.time;
    moves.set(order.id, { version: move.version, at: now, placedAt: before?.placedAt ?? now });
    if (move.to !== "Cancelled") continue;
    if (move.by === "shop") checkTerm(world, order, before);
    if (move.by === "shop" || move.by === "shopper") checkNoLoan(world, order, state, move.by);
  }
}

/** Whether a loan may still pay its order, or pays it. */
function isHope({ state, refusal }: CommittedLoan): boolean {
  return state === "paid-out" ? refusal === null : state !== "ended";
}

/**
 * An order expires at the end of its term, or at its maximum age. Not checked while the machine's
 * clock is wrong.
 */
function checkTerm(world: World, { id }: CommittedOrder, before: LastMove | undefined): void {
  const { now, hasJumped } = world.time;
  const waited = now - (before?.at ?? now);
  const isTooOld = now - (before?.placedAt ?? now) >= MOST_TERMS * TERM - COMMIT_TAKES;
  if (!hasJumped && waited < TERM - COMMIT_TAKES && !isTooOld)
    world.fail("expired-early", `order ${id} has expired after ${waited} ms`);
}

/**
 * Neither the shop nor the customer may cancel an order that has an active loan or has received
 * money, except that the customer may if the loan was not presented with the order's key.
 */
function checkNoLoan(
  world: World,
  order: CommittedOrder,
  state: State,
  by: "shop" | "shopper",
): void {
  const { id } = order;
  const loan = [...state.loans.values()].find(
    (one) =>
      one.orderId === id &&
      isHope(one) &&
      (by === "shop" || one.state === "paid-out" || one.withKey === 1),
  );
  if (loan !== undefined)
    world.fail("cancelled-with-loan", `order ${id} is cancelled; ${loan.id} is ${loan.state}`);
  if (hasOpenMoney(accountOf(order, state)))
    world.fail("cancelled-with-money", `order ${id} is cancelled by the ${by} with open money`);
}

/** The orders that should have expired by now. */
export function expirable(world: World, moves: ReadonlyMap<string, LastMove>): string[] {
  const { orders, loans, entries } = world.state;
  if (world.time.hasJumped) return [];
  const kept = new Set([
    ...[...loans.values()].filter(isHope).map(({ orderId }) => orderId),
    ...accountsOf({ orders, entries })
      .filter(hasOpenMoney)
      .map(({ order }) => order?.id ?? null),
  ]);
  return [...orders.values()].flatMap(({ id, status }) => {
    const { at = world.time.now, placedAt = world.time.now } = moves.get(id) ?? {};
    const endsAt = Math.min(at + TERM, placedAt + MOST_TERMS * TERM);
    const isDue = awaitsPayment(status) && endsAt + PATIENCE < world.time.now;
    return isDue && !kept.has(id) ? [id] : [];
  });
}
