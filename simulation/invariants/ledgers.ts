import { shopCurrency } from "@keepsats/domain";
import {
  adminOrderSchema,
  journalSummarySchema,
  paths,
  todaySchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Answer, World } from "../world.ts";
import { type Account, accountOf, accountsOf, unknownAmounts } from "./accounts.ts";
import { currenciesOf, recount } from "./balance.ts";

const moneySchema = z.pick(adminOrderSchema, { ledger: true, payment_issues: true });
type Money = z.output<typeof moneySchema>;

/** Once the shop is idle, it shows the sums of its journal, of every order and of the whole shop. */
export function checkLedgers(world: World): void {
  const { state } = world;
  for (const order of state.orders.values())
    read(world, withId(paths.admin.order, order.id), ({ json }) =>
      checkLedger(world, accountOf(order, state), z.decode(moneySchema, json())),
    );
  const accounts = accountsOf(state);
  read(world, paths.admin.today, ({ json }) => {
    const shown = z.decode(todaySchema, json()).refunds_due;
    const isDue = (account: Account) =>
      currenciesOf(account.entries).some((currency) => recount(account, currency).refund_due > 0);
    const orders = accounts.filter(isDue).length;
    const amount = sumOver(accounts, shopCurrency.code).refund_due;
    compare(world, "today", { ...shown }, { orders, amount });
  });
  read(world, paths.admin.journalSummary, ({ json }) => {
    for (const { currency, closing } of z.decode(journalSummarySchema, json()).currencies)
      compare(world, `the books in ${currency}`, closing, sumOver(accounts, currency));
  });
}

/** @param onRead is not called if the journal has changed since the request */
function read(world: World, url: string, onRead: (answer: Answer) => void): void {
  const { length } = world.state.entries;
  world.requestAsStaff({ method: "GET", url }, (answer) => {
    if (answer.statusCode === 200 && world.state.entries.length === length) onRead(answer);
  });
}

type Sums = Readonly<Record<string, unknown>>;

function compare(world: World, name: string, shown: Sums, expected: Sums): void {
  for (const [field, amount] of Object.entries(expected))
    if (shown[field] !== amount)
      world.fail("ledger-wrong", `${name} shows ${field} ${shown[field]}, not ${amount}`);
}

/** The ledger has the sums of the entries, and the open payment issues share the open money. */
function checkLedger(world: World, account: Account, { ledger, payment_issues }: Money): void {
  for (const currency of currenciesOf(account.entries)) {
    const { missing, granted, grantable, ...sums } = recount(account, currency);
    const own = { missing, granted, grantable, unknown_amounts: unknownAmounts(account) };
    const isOwn = currency === shopCurrency.code;
    const other = ledger.other_currencies.find((one) => one.currency === currency);
    const issues = payment_issues.filter(
      ({ resolution, balance }) => resolution === null && balance.currency === currency,
    );
    // Several payment issues may be about one loan.
    const shares = new Map(issues.map(({ loan_id, open_amount }) => [loan_id, open_amount ?? 0]));
    const open = [...shares.values()].reduce((sum, share) => sum + share, 0);
    compare(
      world,
      `order ${account.order?.id} in ${currency}`,
      { ...(isOwn ? ledger : other), open },
      { ...sums, ...(isOwn ? own : {}), open: sums.refundable },
    );
  }
}

/** The sums over all accounts, in one currency. */
function sumOver(accounts: readonly Account[], currency: string) {
  let [held, refund_due] = [0, 0];
  for (const account of accounts) {
    const balance = recount(account, currency);
    held += balance.received - balance.refunded;
    refund_due += balance.refund_due;
  }
  return { held, refund_due };
}
