import { awaitsPayment, hasOpenMoney } from "@keepsats/domain";
import { MAX_TERMS } from "../../apps/server/src/modules/payments/expire-orders.ts";
import type { CommittedLoan, CommittedOrder, State } from "../committed-state.ts";
import { PAYMENT_TERM } from "../shop.ts";
import type { World } from "../world.ts";
import { accountOf, accountsOf, balancesIn } from "./accounts.ts";

/** The last event that started the payment term of an order. Times are in epoch milliseconds. */
export interface LastMove {
  readonly version: number;
  /** The time of the commit. */
  readonly at: number;
  /** The time of the order's first commit. */
  readonly placedAt: number;
}

/** The longest time from an event to its commit, in milliseconds. */
const COMMIT_DELAY = 1_000;
/** The longest time from the end of the term to the expiry, in milliseconds. */
const EXPIRY_DELAY = 2 * 60_000;

/** The kinds of events that start the payment term. */
const termStarts: ReadonlySet<string> = new Set(["placed", "moved", "attempt-failed"]);

/** @param moves the last moves in earlier states; it is brought up to date */
export function checkMoves(world: World, state: State, moves: Map<string, LastMove>): void {
  for (const order of state.orders.values()) {
    const move = order.events.findLast(({ kind }) => termStarts.has(kind));
    const before = moves.get(order.id);
    if (move === undefined || move.version === before?.version) continue;
    const { now } = world;
    moves.set(order.id, { version: move.version, at: now, placedAt: before?.placedAt ?? now });
    if (move.to_status !== "Cancelled") continue;
    if (move.by === "shop") checkTerm(world, order, before);
    if (move.by === "shop" || move.by === "customer") checkNoLoan(world, order, state, move.by);
  }
}

/** Whether a loan has paid its order, or may still pay it. */
function mayPay({ state, refusal }: CommittedLoan): boolean {
  return state === "paid-out" ? refusal === null : state !== "ended";
}

/** An order expires at the end of its term, or at its maximum age. */
function checkTerm(world: World, { id }: CommittedOrder, before: LastMove | undefined): void {
  const { now } = world;
  const waited = now - (before?.at ?? now);
  const isTooOld = now - (before?.placedAt ?? now) >= MAX_TERMS * PAYMENT_TERM - COMMIT_DELAY;
  if (waited < PAYMENT_TERM - COMMIT_DELAY && !isTooOld)
    world.fail("expired-early", `order ${id} has expired after ${waited} ms`);
}

/** Whether it was presented with the order's key, and is still checked. */
function isPresentedWithKey({ id, order_id }: CommittedLoan, { checks }: State): boolean {
  return checks.some(
    (check) => check.loan_id === id && check.order_id === order_id && check.with_key === 1,
  );
}

/**
 * Neither the shop nor the customer may cancel an order that has an active loan or has received
 * money, except that the customer may if the loan was not presented with the order's key.
 */
function checkNoLoan(
  world: World,
  order: CommittedOrder,
  state: State,
  by: "shop" | "customer",
): void {
  const { id } = order;
  const loan = [...state.loans.values()].find(
    (one) =>
      one.order_id === id &&
      mayPay(one) &&
      (by === "shop" || one.state === "paid-out" || isPresentedWithKey(one, state)),
  );
  if (loan !== undefined)
    world.fail("cancelled-with-loan", `order ${id} is cancelled; ${loan.id} is ${loan.state}`);
  if (hasOpenMoney(balancesIn(accountOf(order, state))))
    world.fail("cancelled-with-money", `order ${id} is cancelled by the ${by} with open money`);
}

/** The orders whose term has ended. One with a paid-out loan waits until staff resolve its issues. */
export function overdueOrders(world: World, moves: ReadonlyMap<string, LastMove>): string[] {
  const { orders, loans, entries, issues } = world.state;
  const open = new Set(
    issues.filter(({ resolution }) => resolution === null).map(({ loan_id }) => loan_id),
  );
  const keeps = (loan: CommittedLoan) =>
    mayPay(loan) || (loan.state === "paid-out" && open.has(loan.id));
  const kept = new Set([
    ...[...loans.values()].filter(keeps).map(({ order_id }) => order_id),
    ...accountsOf({ orders, entries })
      .filter((account) => hasOpenMoney(balancesIn(account)))
      .map(({ order }) => order?.id ?? null),
  ]);
  return [...orders.values()].flatMap(({ id, status }) => {
    const { at = world.now, placedAt = world.now } = moves.get(id) ?? {};
    const endsAt = Math.min(at + PAYMENT_TERM, placedAt + MAX_TERMS * PAYMENT_TERM);
    const isDue = awaitsPayment(status) && endsAt + EXPIRY_DELAY < world.now;
    return isDue && !kept.has(id) ? [id] : [];
  });
}
