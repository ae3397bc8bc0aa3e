import { type Balance, balanceIn, balancesByCurrency, shopCurrency } from "@keepsats/domain";
import { journalSummarySchema, paths, todaySchema } from "@keepsats/protocol";
import { read } from "../actors/requests.ts";
import type { World } from "../world.ts";
import { accountsOf, balancesIn } from "./accounts.ts";

/** Once the shop is idle, today and the books show the sums of its journal. */
export function checkLedgers(world: World): void {
  const all = accountsOf(world.state).map(balancesIn);
  read(world, paths.admin.today, todaySchema, ({ refunds_due }) => {
    const due = all.flatMap(balancesByCurrency).filter(({ refundDue }) => refundDue > 0);
    const amount = sumOver(due.filter(({ currency }) => currency === shopCurrency.code));
    compare(world, "today", refunds_due.amount, amount);
  });
  read(world, paths.admin.journalSummary, journalSummarySchema, ({ currencies }) => {
    for (const { currency, closing } of currencies) {
      const balances = all.map((one) => balanceIn(one, currency));
      const held = balances.reduce((sum, { received, refunded }) => sum + received - refunded, 0);
      compare(world, `held in ${currency}`, closing.held, held);
      compare(world, `due in ${currency}`, closing.refund_due, sumOver(balances));
    }
  });
}

function sumOver(balances: readonly Balance[]): number {
  return balances.reduce((sum, { refundDue }) => sum + refundDue, 0);
}

function compare(world: World, name: string, shown: unknown, expected: number): void {
  if (shown !== expected)
    world.fail("ledger-wrong", `${name} is shown as ${shown}, and is ${expected}`);
}
