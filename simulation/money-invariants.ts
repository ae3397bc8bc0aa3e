import { awaitsPayment } from "@keepsats/domain";
import { ledgerSchema, paths, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import type { State } from "./committed.ts";
import { DOLLARS, type Loan, proving } from "./provider.ts";
import { STAFF } from "./shop.ts";
import type { World } from "./world.ts";

/** No more may be given back for an order than the provider has paid out for it. */
export function checkGivenBack(world: World, state: State): void {
  for (const [orderId, refunds] of Map.groupBy(state.refunds, (refund) => refund.orderId)) {
    const givenBack = sum(refunds);
    const received = sum(moneyFor(world, orderId, state));
    if (givenBack > received)
      world.fail(
        "given-back-too-much",
        `for order ${orderId} ${givenBack} of ${received} cents were given back`,
      );
  }
}

/**
 * What the provider has reported as paid out for an order or by a loan that is bound to it, at the
 * terms of its first report.
 */
function moneyFor(
  world: World,
  orderId: string,
  { contracts }: State,
): { readonly cents: number }[] {
  return [...world.provider.loans.values()].flatMap(({ id, proof, extends: extended }: Loan) => {
    if (proof === undefined || proof.asset !== DOLLARS) return [];
    if (proof.orderId !== orderId && contracts.get(id)?.orderId !== orderId) return [];
    // An extension of a loan that pays nothing is counted as money by itself (docs/decisions/015).
    const isExtension = extended !== undefined && contracts.get(extended)?.meaning === "paid";
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
    const givenBack = sum(state.refunds.filter(({ orderId }) => orderId === id));
    const url = withId(paths.merchant.order, id);
    shop.request({ method: "GET", url, headers: STAFF }, ({ statusCode, json }) => {
      if (statusCode !== 200 || world.state !== state) return;
      const { data: ledger, error } = z.safeDecode(ledgerSchema, json().ledger);
      if (ledger === undefined) return world.fail("ledger-wrong", `order ${id}: ${error.message}`);
      const rest = received - ledger.kept - givenBack;
      const owed = awaitsPayment(status) ? 0 : rest;
      const price = ledger.kept - ledger.explained;
      const isPaid = !awaitsPayment(status) && status !== "Cancelled";
      if (price < 0 || price > (isPaid ? total : 0))
        world.fail(
          "ledger-wrong",
          `order ${id} is ${status}, costs ${total} and keeps ${price} cents`,
        );
      const hasOpen = state.mismatches.some(
        ({ orderId, resolution }) => orderId === id && resolution === null,
      );
      if (status === "Cancelled" && ledger.owed > 0 && !hasOpen)
        world.fail(
          "refund-not-told",
          `order ${id} is cancelled and owes ${ledger.owed} cents, and nobody is told`,
        );
      const shown = [ledger.received, ledger.given_back, ledger.refundable, ledger.owed];
      if (shown.join() !== [received, givenBack, rest, owed].join())
        world.fail(
          "ledger-wrong",
          `order ${id} is ${status} and shows ${shown}, not ${[received, givenBack, rest, owed]}`,
        );
    });
  }
}

function hasOddLoan(world: World, id: string, { contracts }: State): boolean {
  return [...world.provider.loans.values()].some((loan) => {
    const contract = contracts.get(loan.id);
    const bound = contract?.orderId;
    if (loan.orderId !== id && loan.proof?.orderId !== id && bound !== id) return false;
    const isElsewhere = loan.orderId !== id || (bound !== undefined && bound !== id);
    // The payout may have been reported only to a question about another order, for which the loan
    // was presented by a cheat.
    const isUnproved = !proving.has(loan.status) && contract?.meaning !== "paid";
    return (
      loan.takenBack || isElsewhere || (loan.given && (loan.proof === undefined || isUnproved))
    );
  });
}

function sum(amounts: readonly { readonly cents: number }[]): number {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}
