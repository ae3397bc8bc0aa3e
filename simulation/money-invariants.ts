import { ledgerSchema, paths, todaySchema, withId } from "@keepsats/protocol";
import * as z from "zod/mini";
import { type Account, accountOf, accountsOf, hasOpenMoney, unknownAmounts } from "./accounts.ts";
import { currenciesOf, receivedKinds, recount, sumOf } from "./balance.ts";
import type { CommittedEntry, State } from "./committed-state.ts";
import { isEnded, isPaidOut, type Loan, type Payout, payoutOf, type Report } from "./provider.ts";
import type { World } from "./world.ts";

/** @param before the journal of the last state */
export function checkMoney(world: World, state: State, before: readonly CommittedEntry[]): void {
  if (state.entries === before) return;
  for (const [index, entry] of before.entries())
    if (JSON.stringify(entry) !== JSON.stringify(state.entries[index]))
      world.fail("journal-changed", `entry ${entry.id}, ${entry.kind}, has changed`);
  const accounts = accountsOf(state);
  for (const account of accounts) {
    checkIssues(world, account, state);
    checkRefunds(world, account, new Set(state.entries.slice(before.length)));
  }
  for (const [loanId, entries] of Map.groupBy(state.entries, (entry) => entry.loanId))
    if (loanId !== null) checkLoan(world, world.provider.loans.get(loanId), entries, state);
}

const nameOf = ({ order, loanId }: Account) =>
  order === undefined ? `${loanId}, without an order,` : `order ${order.id} (${order.status})`;

const moneyIssues: ReadonlySet<string> = new Set(["overpaid", "duplicate", "paid-after-cancel"]);

/** Open money has a payment issue, and an issue about money has open money. */
function checkIssues(world: World, account: Account, { issues }: State): void {
  const { order, loanId } = account;
  const open = issues.filter(
    (issue) =>
      issue.resolution === null &&
      (order === undefined
        ? issue.orderId === null && issue.loanId === loanId
        : issue.orderId === order.id),
  );
  const isOpen = hasOpenMoney(account);
  if (isOpen && open.length === 0)
    world.fail(
      "open-money-without-issue",
      `${nameOf(account)} has open money and no payment issue`,
    );
  const idle = open.find(({ kind }) => moneyIssues.has(kind));
  if (!isOpen && idle !== undefined)
    world.fail("issue-without-money", `${nameOf(account)} has ${idle.kind} and no open money`);
}

/**
 * No refund exceeds the amount that was refundable before it, and no granted one the part of the price
 * that the shop had. Nothing is granted while a refund is due.
 */
function checkRefunds(world: World, account: Account, added: ReadonlySet<CommittedEntry>): void {
  const { entries } = account;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== "refunded" || !added.has(entry)) continue;
    if (entry.grant !== null) checkGrant(world, account, entry);
    // A granted refund comes after its own reduction of the price.
    const isOwn = ({ refundId }: CommittedEntry) =>
      entry.grant !== null && refundId === entry.refundId;
    const before = entries.slice(0, index).filter((one) => !isOwn(one));
    const { refundable, grantable } = recount({ ...account, entries: before }, entry.currency);
    const granted = refundable > 0 ? 0 : grantable;
    const most = entry.grant === null ? refundable : granted;
    if (entry.amount > most)
      world.fail(
        "refunded-too-much",
        `${nameOf(account)}: ${entry.amount} of ${most} were refunded`,
      );
  }
}

/** A granted refund reduces the price of its order by its amount. */
function checkGrant(world: World, account: Account, { refundId, amount }: CommittedEntry): void {
  const ofRefund = account.entries.filter((entry) => entry.refundId === refundId);
  const waived = ofRefund.filter(({ kind, grant }) => kind === "waived" && grant !== null);
  if (sumOf(waived, "waived") !== amount)
    world.fail("grant-without-reduction", `${nameOf(account)}: ${amount} were granted`);
}

/** The payout of a loan by its entries in all accounts, without extensions and decisions. */
function journaledPayout(entries: readonly CommittedEntry[]): Payout | undefined {
  const own = entries.filter(({ kind }) => receivedKinds.includes(kind) && kind !== "extension");
  const sums = currenciesOf(own).map((currency) => {
    const some = own.filter((entry) => entry.currency === currency);
    const unknown = some.reduce((sum, entry) => sum + entry.unknown, 0);
    return { currency, cents: sumOf(some, ...receivedKinds), unknown };
  });
  const found = sums.find(({ cents, unknown }) => cents !== 0 || unknown !== 0);
  if (found === undefined) return undefined;
  return { currency: found.currency, cents: found.unknown === 0 ? found.cents : undefined };
}

/** Whether staff have entered an amount that the provider does not report. */
function isEnteredByStaff(entries: readonly CommittedEntry[]): boolean {
  return entries.some(({ kind, refundId }) => kind === "corrected" && refundId !== null);
}

function isSame(one: Payout | undefined, other: Payout | undefined): boolean {
  return one?.currency === other?.currency && one?.cents === other?.cents;
}

function describe(payout: Payout | undefined): string {
  return payout === undefined ? "nothing" : `${payout.cents ?? "unknown"} ${payout.currency}`;
}

/** A loan in the journal has a reported payout, for one order at most, and a payout report. */
function checkLoan(
  world: World,
  loan: Loan | undefined,
  entries: readonly CommittedEntry[],
  { payoutReports }: State,
): void {
  const orders = new Set(entries.flatMap(({ orderId }) => orderId ?? []));
  const { id = "a loan that does not exist", reports = [] } = loan ?? {};
  if (orders.size > 1)
    world.fail("payout-in-two-journals", `${id} has money for ${[...orders].join(" and ")}`);
  if (!payoutReports.has(id))
    world.fail("payout-report-lost", `${id} has entries and no payout report`);
  if (entries.some(({ kind }) => kind === "transferred") && sumOf(entries, "transferred") !== 0)
    world.fail("transfer-unbalanced", `${id}: ${sumOf(entries, "transferred")}`);
  const payout = journaledPayout(entries);
  if (isEnteredByStaff(entries)) return;
  if (!reports.some((one: Report) => isSame(one.payout, payout)))
    world.fail("payout-not-reported", `the journal has ${describe(payout)} of ${id}`);
}

/**
 * After a complete sweep the journal has every payout as the provider reports it now, and every order
 * with its payout is paid.
 */
export function checkPayouts(world: World, state: State): void {
  const byLoan = Map.groupBy(state.entries, ({ loanId }) => loanId);
  for (const loan of world.provider.loans.values()) {
    const entries = byLoan.get(loan.id) ?? [];
    if (!isPaidOut(loan) && !isEnded(loan)) continue;
    const actual = isPaidOut(loan) ? payoutOf(loan) : undefined;
    const payout = journaledPayout(entries);
    if (isEnteredByStaff(entries) && actual?.cents === undefined) continue;
    if (!isSame(payout, actual))
      world.fail(
        "payout-not-journaled",
        `${loan.id} (${loan.status}) has paid out ${describe(actual)}, and the journal has ${describe(payout)}`,
      );
  }
  for (const { id, orderId, state: loanState, refusal } of state.loans.values()) {
    const order = state.orders.get(orderId ?? "");
    const isPaid = order?.events.some(({ to }) => to === "PaymentProcessed");
    if (
      loanState === "paid-out" &&
      refusal === null &&
      isPaid !== true &&
      order?.status !== "Cancelled"
    )
      world.fail("loan-unaccounted", `${id} pays order ${orderId}, which is ${order?.status}`);
  }
}

/**
 * Once the shop is idle, extensions are netted, and the shop shows the sums of its journal for every
 * order and for the whole shop.
 */
export function checkLedgers(world: World): void {
  const { state } = world;
  for (const account of accountsOf(state))
    if (account.order !== undefined) checkExtensions(world, account);
  for (const order of state.orders.values()) checkLedger(world, accountOf(order, state), state);
  checkToday(world, state);
}

/**
 * The extensions of an order bring no money, and its other loans do. Accounts with a loan that was
 * changed after its payout are skipped: among loans of equal amount the shop cannot tell which one is
 * the extension.
 */
function checkExtensions(world: World, account: Account): void {
  const { entries } = account;
  const ids = new Set(entries.flatMap(({ loanId }) => loanId ?? []));
  const loans = [...ids].flatMap((id) => world.provider.loans.get(id) ?? []);
  const isCertain = loans.every((loan) => isPaidOut(loan) && !loan.isChanged);
  // If the account lacks the earlier loan, its extension brings the money.
  const extensions = loans.filter(({ extends: earlier }) => ids.has(earlier ?? ""));
  if (!isCertain || isEnteredByStaff(entries)) return;
  const sum = extensions.reduce((all, loan) => all + (payoutOf(loan).cents ?? 0), 0);
  if (sumOf(entries, "extension") !== -sum)
    world.fail(
      "extensions-miscounted",
      `${nameOf(account)} has extensions of ${sum}; the journal has ${-sumOf(entries, "extension")}`,
    );
}

function checkLedger(world: World, account: Account, state: State): void {
  const { order } = account;
  if (order === undefined) return;
  const url = withId(paths.admin.order, order.id);
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200 || world.state !== state) return;
    const { data: ledger, error } = z.safeDecode(ledgerSchema, json().ledger);
    if (ledger === undefined)
      return world.fail("ledger-wrong", `order ${order.id}: ${error.message}`);
    for (const currency of currenciesOf(account.entries)) {
      const other = ledger.other_currencies.find((one) => one.currency === currency);
      const shown = other ?? ledger;
      const { received, refunded, kept, refundable, refundDue, missing, grantable } = recount(
        account,
        currency,
      );
      const expected = [received, refunded, kept, refundable, refundDue];
      const sums = [shown.received, shown.refunded, shown.kept, shown.refundable, shown.refund_due];
      if (other === undefined) {
        expected.push(missing, unknownAmounts(account), grantable);
        sums.push(ledger.missing, ledger.unknown_amounts, ledger.grantable ?? 0);
      }
      if (sums.join() !== expected.join())
        world.fail("ledger-wrong", `${nameOf(account)} shows ${currency} ${sums}, not ${expected}`);
    }
  });
}

/** The refunds due of the whole shop are the sum over all accounts. */
function checkToday(world: World, state: State): void {
  const url = paths.admin.today;
  world.requestAsStaff({ method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200 || world.state !== state) return;
    const { orders, amount } = z.decode(todaySchema, json()).refunds_due;
    const accounts = accountsOf(state);
    const due = accounts.filter((account) =>
      currenciesOf(account.entries).some((currency) => recount(account, currency).refundDue > 0),
    );
    const sum = accounts.reduce((all, account) => all + recount(account, "USD").refundDue, 0);
    if (orders !== due.length || amount !== sum)
      world.fail(
        "ledger-wrong",
        `today shows ${orders} refunds due of ${amount}, not ${due.length} of ${sum}`,
      );
  });
}
