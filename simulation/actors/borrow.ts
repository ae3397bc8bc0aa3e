import type { World } from "../world.ts";
import { type Customer, orderOf } from "./customers.ts";
import type { Loan, LoanChange, LoanTerms } from "./loan.ts";

/** The time from an extension to the mark of its loan, in milliseconds. */
const MARK_DELAY = 4_000;

/** Requests a loan for an order; nothing without one. */
export function borrow(
  world: World,
  customer: Customer,
  order: { readonly id: string; readonly total: number } | undefined,
  terms: LoanTerms,
): void {
  if (order === undefined) return;
  const id = `loan-${customer.number}-${customer.loans.length}`;
  customer.loans.push(id);
  world.provider.lend(id, order, terms);
  world.note(
    `customer ${customer.number} requests ${id} (${terms}) for order ${order.id.slice(0, 8)}`,
  );
}

function lastLoan(world: World, { loans }: Customer): Loan | undefined {
  return world.provider.loans.get(loans.at(-1) ?? "");
}

/** @param other may have the order that the loan names instead */
export function changeLoan(
  world: World,
  customer: Customer,
  change: LoanChange,
  other: Customer,
): void {
  const loan = lastLoan(world, customer);
  const became = loan && world.provider.change(loan, change, orderOf(other)?.id);
  if (became !== undefined) world.note(`${loan?.id} becomes ${became}`);
}

/** The provider stores an extension, and marks the earlier loan some seconds later. */
export function extendLoan(world: World, customer: Customer): void {
  const loan = lastLoan(world, customer);
  const extension = loan && world.provider.extend(loan);
  if (loan === undefined || extension === undefined) return;
  world.note(`${extension.id} extends ${loan.id}`);
  customer.loans.push(extension.id);
  world.after(MARK_DELAY, () => {
    world.provider.mark(loan);
    world.note(`${loan.id} becomes ${loan.status}`);
  });
}
