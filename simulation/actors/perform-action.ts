import type { Subscription, World } from "../world.ts";
import type { Action, Attack, Credential, LoanChange, LoanTerms } from "./actions.ts";
import {
  buy,
  type Customer,
  type Customers,
  cancelOrder,
  correctAddress,
  customerOf,
  orderOf,
} from "./customers.ts";
import type { Loan } from "./loan.ts";
import { Page } from "./page.ts";
import { actOnReturns } from "./returns.ts";
import { actOnOrder, editItem, moveOrder, readOrder } from "./staff.ts";

/** Skips an action that has become impossible. */
export function performAction(world: World, customers: Customers, action: Action): void {
  if (!("customer" in action))
    return action.kind === "edit-item" ? editItem(world, action) : world.cause(action);
  const customer = customerOf(customers, action.customer);
  switch (action.kind) {
    case "buy":
      return buy(world, customer, action);
    case "borrow":
      return borrow(world, customer, action.terms);
    case "subscribe":
      return openPage(world, customer, action.by);
    case "close-page":
      return customer.page?.close();
    case "attack":
      return attack(world, customer, customerOf(customers, action.victim), action.attack);
    case "change-loan":
      return changeLoan(world, customer, action.change, customers.get(customer.number - 1));
    case "cancel":
      return cancelOrder(world, customer);
    case "correct-address":
      return correctAddress(world, customer);
    case "staff-act":
      return actOnOrder(world, customer, action);
    case "staff-read":
      return readOrder(world, customer);
    case "staff-move":
      return moveOrder(world, customer, action);
    case "return":
      return actOnReturns(world, customer, action);
  }
}

function borrow(world: World, customer: Customer, terms: LoanTerms): void {
  const order = orderOf(customer);
  if (order === undefined) return;
  const id = `loan-${customer.number}-${customer.loans.length}`;
  customer.loans.push(id);
  world.provider.lend(id, order, terms);
  world.note(
    `customer ${customer.number} requests ${id} (${terms}) for order ${order.id.slice(0, 8)}`,
  );
}

function openPage(world: World, customer: Customer, by: Credential): void {
  const order = orderOf(customer);
  const loanId = by === "key" ? undefined : customer.loans.at(-1);
  const key = by === "loan" ? undefined : order?.key;
  if (order === undefined || (loanId === undefined && key === undefined)) return;
  subscribe(world, customer, { orderId: order.id, loanId, key });
}

function subscribe(world: World, customer: Customer, subscription: Subscription): void {
  customer.page?.close();
  world.note(
    `customer ${customer.number} opens ${subscription.orderId.slice(0, 8)} with ${subscription.loanId ?? "the key"}`,
  );
  const order = orderOf(customer);
  const hasKey = order?.id === subscription.orderId && order.key === subscription.key;
  customer.page = new Page(world, `customer ${customer.number}'s page`, subscription, hasKey);
}

function attack(world: World, customer: Customer, victim: Customer, kind: Attack): void {
  const own = orderOf(customer);
  const theirs = orderOf(victim);
  const loanId = victim.loans.at(-1) ?? "loan-invented";
  if (own === undefined || theirs === undefined) return;
  switch (kind) {
    case "reuse-loan":
      return subscribe(world, customer, { orderId: own.id, loanId, key: own.key });
    case "watch-other-order":
      return subscribe(world, customer, {
        orderId: theirs.id,
        loanId: customer.loans.at(-1) ?? "x",
        key: undefined,
      });
    case "invented-loan":
      return subscribe(world, customer, { orderId: own.id, loanId: "loan-invented", key: own.key });
    case "wrong-key":
      return subscribe(world, customer, { orderId: theirs.id, loanId, key: own.key });
    case "name-other-order":
      customer.loans.push(`loan-${customer.number}-${customer.loans.length}`);
      world.provider.lend(customer.loans.at(-1) ?? "", { id: theirs.id, total: 100 }, "exact");
      return subscribe(world, customer, {
        orderId: theirs.id,
        loanId: customer.loans.at(-1) ?? "",
        key: undefined,
      });
  }
}

/** @param other may have the order that the loan names instead */
function changeLoan(
  world: World,
  customer: Customer,
  change: LoanChange,
  other: Customer | undefined,
): void {
  const loan = world.provider.loans.get(customer.loans.at(-1) ?? "");
  if (loan === undefined) return;
  if (change === "extend") return extend(world, customer, loan);
  const became = world.provider.change(loan, change, orderOf(other)?.id ?? "");
  if (became !== undefined) world.note(`${loan.id} becomes ${became}`);
}

/** The time from an extension to the mark of its loan, in milliseconds. */
const MARK_DELAY = 4_000;

/** The provider stores an extension, and marks the earlier loan some seconds later. */
function extend(world: World, customer: Customer, loan: Loan): void {
  const extension = world.provider.extend(loan);
  if (extension === undefined) return;
  world.note(`${extension.id} extends ${loan.id}`);
  customer.loans.push(extension.id);
  world.after(MARK_DELAY, () => {
    world.provider.mark(loan);
    world.note(`${loan.id} becomes ${loan.status}`);
  });
}
