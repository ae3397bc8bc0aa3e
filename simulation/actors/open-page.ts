import type { Subscription, World } from "../world.ts";
import { borrow } from "./borrow.ts";
import { type Customer, orderOf } from "./customers.ts";
import { Page } from "./page.ts";

export type Credential = "loan" | "key" | "both";

/** Opens the page of the customer's order with the order's key, a loan, or both. */
export function openPage(world: World, customer: Customer, by: Credential): void {
  const order = orderOf(customer);
  const loanId = by === "key" ? undefined : customer.loans.at(-1);
  const key = by === "loan" ? undefined : order?.key;
  if (order === undefined || (loanId === undefined && key === undefined)) return;
  subscribe(world, customer, { orderId: order.id, loanId, key });
}

function subscribe(world: World, customer: Customer, subscription: Subscription): void {
  customer.page?.close();
  const { orderId, loanId, key } = subscription;
  const name = `customer ${customer.number}'s page`;
  world.note(`${name} opens ${orderId.slice(0, 8)} with ${loanId ?? "the key"}`);
  const order = orderOf(customer);
  const hasKey = order?.id === orderId && order.key === key;
  customer.page = new Page(world, name, subscription, hasKey);
}

/**
 * `reuse-loan` presents another customer's loan for the attacker's own order; `name-other-order`
 * lends a small amount for another customer's order.
 */
export type Attack =
  | "reuse-loan"
  | "watch-other-order"
  | "invented-loan"
  | "wrong-key"
  | "name-other-order";

export function attack(world: World, customer: Customer, victim: Customer, kind: Attack): void {
  const own = orderOf(customer);
  const theirs = orderOf(victim);
  if (own === undefined || theirs === undefined) return;
  if (kind === "name-other-order") borrow(world, customer, { id: theirs.id, total: 100 }, "exact");
  const loanId = victim.loans.at(-1) ?? "loan-invented";
  const ownLoan = customer.loans.at(-1) ?? "loan-invented";
  const subscriptions: Readonly<Record<Attack, Subscription>> = {
    "reuse-loan": { orderId: own.id, loanId, key: own.key },
    "watch-other-order": { orderId: theirs.id, loanId: ownLoan, key: undefined },
    "invented-loan": { orderId: own.id, loanId: "loan-invented", key: own.key },
    "wrong-key": { orderId: theirs.id, loanId, key: own.key },
    "name-other-order": { orderId: theirs.id, loanId: ownLoan, key: undefined },
  };
  subscribe(world, customer, subscriptions[kind]);
}
