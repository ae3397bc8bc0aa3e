import { awaitsPayment } from "@keepsats/domain";
import { ledgerSchema, paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { State } from "./committed.ts";
import { DOLLARS, type Loan, proving } from "./provider.ts";
import { STAFF } from "./shop.ts";
import type { World } from "./world.ts";

/** No more may be refunded for an order than the provider has paid out for it. */
export function checkRefunded(world: World, state: State): void {
  for (const [orderId, refunds] of Map.groupBy(state.refunds, (refund) => refund.orderId)) {
    const refunded = sum(refunds);
    const received = sum(moneyFor(world, orderId, state));
    if (refunded > received)
      world.fail(
        "refunded-too-much",
        `for order ${orderId} ${refunded} of ${received} cents were refunded`,
      );
  }
}

/**
 * What the provider has reported as paid out for an order or by a loan that is bound to it, at the
 * terms of its first report.
 */
function moneyFor(world: World, orderId: string, { loans }: State): { readonly cents: number }[] {
  return [...world.provider.loans.values()].flatMap(({ id, proof, extends: extended }: Loan) => {
    if (proof === undefined || proof.asset !== DOLLARS) return [];
    if (proof.orderId !== orderId && loans.get(id)?.orderId !== orderId) return [];
    // An extension of a loan that pays nothing is counted as money by itself (docs/decisions/015).
    const isExtension = extended !== undefined && loans.get(extended)?.state === "paid-out";
    return isExtension ? [] : [proof];
  });
}

/**
 * Compares the ledger that the shop shows of each order with the loans of the provider, the refunds
 * and the order. Orders with a loan that the provider has changed afterwards are left out: a person
 * must decide about them.
 */
export function checkLedgers(world: World): void {
  const { state, shop } = world;
  for (const { id, status, total } of state.orders.values()) {
    if (shop === undefined || hasOddLoan(world, id, state)) continue;
    const received = sum(moneyFor(world, id, state));
    const refunded = sum(state.refunds.filter(({ orderId }) => orderId === id));
    const url = withId(paths.merchant.order, id);
    shop.request({ method: "GET", url, headers: STAFF }, ({ statusCode, json }) => {
      if (statusCode !== 200 || world.state !== state) return;
      const { data: ledger, error } = z.safeDecode(ledgerSchema, json().ledger);
      if (ledger === undefined) return world.fail("ledger-wrong", `order ${id}: ${error.message}`);
      const rest = received - ledger.kept - refunded;
      const refundDue = awaitsPayment(status) ? 0 : rest;
      const price = ledger.kept - ledger.kept_by_staff;
      const isPaid = !awaitsPayment(status) && status !== "Cancelled";
      if (price < 0 || price > (isPaid ? total : 0))
        world.fail(
          "ledger-wrong",
          `order ${id} is ${status}, costs ${total} and keeps ${price} cents`,
        );
      const hasOpen = state.issues.some(
        ({ orderId, resolution }) => orderId === id && resolution === null,
      );
      if (status === "Cancelled" && ledger.refund_due > 0 && !hasOpen)
        world.fail(
          "refund-not-told",
          `order ${id} is cancelled, ${ledger.refund_due} cents are due, and nobody is told`,
        );
      const shown = [ledger.received, ledger.refunded, ledger.refundable, ledger.refund_due];
      if (shown.join() !== [received, refunded, rest, refundDue].join())
        world.fail(
          "ledger-wrong",
          `order ${id} is ${status} and shows ${shown}, not ${[received, refunded, rest, refundDue]}`,
        );
    });
  }
}

function hasOddLoan(world: World, id: string, { loans }: State): boolean {
  return [...world.provider.loans.values()].some((loan) => {
    const stored = loans.get(loan.id);
    const bound = stored?.orderId;
    if (loan.orderId !== id && loan.proof?.orderId !== id && bound !== id) return false;
    const isElsewhere = loan.orderId !== id || (bound !== undefined && bound !== id);
    // The payout may have been reported only to a question about another order, for which the loan
    // was presented by a cheat.
    const isUnproved = !proving.has(loan.status) && stored?.state !== "paid-out";
    return (
      loan.takenBack || isElsewhere || (loan.given && (loan.proof === undefined || isUnproved))
    );
  });
}

function sum(amounts: readonly { readonly cents: number }[]): number {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}
