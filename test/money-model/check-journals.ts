/** Invariants of the journals: they agree with the provider's payouts and with staff's decisions. */
import {
  type Balance,
  balanceOf,
  currenciesOf,
  isAwaiting,
  isPaid,
  receivedKinds,
  recount,
  sumsOf,
} from "../../simulation/balance.ts";
import type { Ledger } from "../harness/money-answers.ts";
import { type Account, type Broken, type Entry, entriesOf, type Shown } from "./account.ts";
import { grantLines, grants, returns } from "./check-grants.ts";
import { creditNotes } from "./check-receipts.ts";
import { hasOpenMoney } from "./customers.ts";
import { centsFor, type Payout, SHOP } from "./payout.ts";
import { isPaidOut, type Loan } from "./provider.ts";
import type { World } from "./world.ts";

const checks = [
  sums,
  truth,
  extensions,
  refunds,
  grants,
  grantLines,
  returns,
  creditNotes,
  decisions,
  issues,
  payment,
  cancellation,
];

/** Compares every journal with the truth. */
export function checkJournals(world: World, { orders, receipts, strays, issues }: Shown): void {
  const { loans } = world.provider;
  function check(id: string, name: string, of: Pick<Account, "order" | "ledger" | "loans">): void {
    const refunds = [...world.refunds.values()].filter(({ account }) => account === id);
    const own = issues.filter(({ order_id, loan_id }) => (order_id ?? loan_id) === id);
    const account = {
      ...of,
      entries: entriesOf(of.ledger),
      issues: own,
      receipts: receipts.get(id) ?? [],
      refunds,
      returnSteps: world.returnSteps.filter(({ orderId }) => orderId === id),
      decided: world.decided,
      hadOpenMoney: world.seenWithMoney.has(id),
    };
    for (const broken of checks)
      for (const [rule, detail] of broken(account)) world.fail(rule, `${name}: ${detail}`, id);
  }
  for (const [id, order] of orders) {
    const name = `order ${id.slice(0, 8)} (${order.status}, ${order.total_price})`;
    const naming = loans.filter(({ names }) => names.has(id));
    check(id, name, { order, ledger: order.ledger, loans: naming });
  }
  for (const [id, ledger] of strays) {
    const isForeign = (name: string | null) => name === null || !orders.has(name);
    const own = loans.filter((loan) => loan.id === id && [...loan.names].some(isForeign));
    check(id, `loan ${id}`, { order: undefined, ledger, loans: own });
  }
  for (const loan of loans)
    for (const [rule, detail] of places(loan, orders, strays))
      world.fail(rule, detail, loan.id, ...[...loan.names].flatMap((name) => name ?? []));
}

/** An account as it is counted. */
const countedOf = ({ order, entries }: Account) => ({
  order: order && { status: order.status, total: order.total_price },
  entries,
});

/** Compares the balance that is shown with the expected one, in one currency. */
function* compare(
  rule: string,
  { ledger }: Account,
  currency: string,
  { refundDue, missing, granted, grantable, ...expected }: Balance,
): Broken {
  const other = ledger.other_currencies.find((one) => one.currency === currency);
  const none = { received: 0, refunded: 0, kept: 0, refundable: 0, refund_due: 0 };
  const shown: Readonly<Record<string, unknown>> = currency === SHOP ? ledger : (other ?? none);
  const more = currency === SHOP ? { missing, granted, grantable } : {};
  for (const [name, amount] of Object.entries({ ...expected, refund_due: refundDue, ...more }))
    if (shown[name] !== amount)
      yield [rule, `${name} is ${shown[name]} ${currency} instead of ${amount}`];
}

/** The balances that are shown are sums over the entries that are shown. */
function* sums(account: Account): Broken {
  const { entries, ledger } = account;
  const counted = countedOf(account);
  for (const currency of currenciesOf(entries))
    yield* compare("balance-is-no-sum", account, currency, recount(counted, currency));
  const { waived, granted, writtenOff } = sumsOf(counted, SHOP);
  // Only what counts at present is shown: a cancelled order has no price to waive.
  if (ledger.waived > waived - granted || ledger.written_off > writtenOff)
    yield ["balance-is-no-sum", `waived ${ledger.waived}, written off ${ledger.written_off}`];
}

/** Whether there is only one thing that a journal can say of its loans. */
function isCertain({ loans, entries }: Account): boolean {
  const isExtended = loans.some((loan) => loan.extends !== undefined);
  const isDecided = entries.some(({ kind }) => kind === "refunded" || kind === "corrected");
  return loans.every(
    ({ names, payouts: [payout, ...more], isChanged }) =>
      names.size === 1 &&
      more.length === 0 &&
      !(isExtended && isChanged) &&
      // Staff may have said how much an unknown amount was.
      !(isDecided && payout !== undefined && payout.cents === undefined),
  );
}

/** The journal's sums are the provider's payouts, net of extensions and reversals, to the cent. */
function* truth(account: Account): Broken {
  const { order, ledger, entries, loans, refunds } = account;
  if (!isCertain(account)) return;
  // An extension brings no money to its order; without an order each loan stands alone.
  const payouts = loans
    .filter((loan) => order === undefined || loan.extends === undefined)
    .flatMap((loan) => loan.payouts)
    .filter((payout): payout is Payout => payout !== undefined);
  const counted = countedOf(account);
  const currencies = [...currenciesOf(entries), ...payouts.map((one) => one.currency)];
  for (const currency of new Set(currencies)) {
    const isOwn = (one: { readonly currency: string }) => one.currency === currency;
    const received = payouts
      .filter(isOwn)
      .reduce((sum, payout) => sum + (centsFor(payout, order?.total_price) ?? 0), 0);
    const refunded = refunds
      .filter((one) => isOwn(one) && !one.isReversed)
      .reduce((sum, { amount }) => sum + amount, 0);
    const sums = { ...sumsOf(counted, currency), received, refunded };
    const expected = balanceOf(sums, counted.order, currency);
    yield* compare("not-the-truth", account, currency, expected);
    if (refunded > received && !loans.some(({ isChanged }) => isChanged))
      yield ["refunded-too-much", `${refunded} of ${received} ${currency}`];
  }
  const unknown = payouts.filter(({ cents }) => cents === undefined).length;
  const isDealtWith = entries.some(({ issueId }) => issueId !== null);
  if (!isDealtWith && ledger.unknown_amounts !== unknown)
    yield ["not-the-truth", `${ledger.unknown_amounts} unknown amounts instead of ${unknown}`];
}

/** Nobody is asked to refund an extension. */
function* extensions({ order, loans, issues }: Account): Broken {
  const paid = loans.filter(({ payouts }) => payouts.some((payout) => payout !== undefined));
  const [first, ...more] = paid.filter((loan) => loan.extends === undefined);
  const isChain = more.length === 0 && !loans.some(({ isChanged }) => isChanged);
  const isWhole = order && first?.terms.amount === (order.total_price / 100).toFixed(2);
  const asked = issues.filter(({ kind }) => kind === "duplicate");
  if (isChain && isWhole === true && asked.length > 0)
    yield ["extension-to-refund", asked.map(({ detail }) => detail).join("; ")];
}

/** Acknowledged refunds are in the journal once, and no refund is more than could be refunded. */
function* refunds({ order, entries, refunds }: Account): Broken {
  for (const kind of ["refunded", "refund-reversed"]) {
    const stored = entries.filter((entry) => entry.kind === kind);
    const expected = refunds.filter(({ isReversed }) => kind === "refunded" || isReversed);
    for (const { id, amount, currency } of expected) {
      const [found, ...more] = stored.filter(({ refundId }) => refundId === id);
      if (found?.amount !== amount || found.currency !== currency || more.length > 0)
        yield ["refund-lost-or-doubled", `${kind} ${id}, ${amount} ${currency}`];
    }
    if (stored.length !== expected.length)
      yield ["refund-unknown", `${stored.length} × ${kind}, ${expected.length} acknowledged`];
  }
  // The order may have been cancelled by then, so its price is left out. A loss that staff wrote off
  // is no money of the shop's, unlike money without an order.
  const price = order && { status: "Cancelled", total: order.total_price };
  for (const [index, { kind, amount, currency, refundId }] of entries.entries()) {
    if (kind !== "refunded") continue;
    const earlier = entries.slice(0, index);
    // A refund that says how much an unknown amount was may refund what staff have kept of it.
    const statesAmount = earlier.some(
      (entry) => entry.kind === "corrected" && entry.refundId === refundId,
    );
    const counted = statesAmount ? earlier.filter((entry) => entry.kind !== "kept") : earlier;
    const { refundable } = recount({ order: price, entries: counted }, currency);
    if (amount > refundable) yield ["refunded-too-much", `${amount} of ${refundable} ${currency}`];
  }
}

/** Money is kept, waived and written off by acknowledged decisions; what is waived was missing. */
function* decisions({ order, entries, decided }: Account): Broken {
  for (const [index, { kind, issueId, amount, grant }] of entries.entries()) {
    // A correction takes back what was waived.
    if (!["kept", "waived", "written-off"].includes(kind) || amount < 0) continue;
    if (grant !== null) continue;
    if (issueId === null || !decided.has(issueId))
      yield ["undecided-entry", `${kind} ${amount} of issue ${issueId}`];
    const paid = { status: "PaymentProcessed", total: order?.total_price ?? 0 };
    const { missing } = recount({ order: paid, entries: entries.slice(0, index) }, SHOP);
    // More is waived where other money is there that pays nothing.
    const isRight = amount >= missing && amount <= paid.total;
    if (kind === "waived" && !isRight)
      yield ["waived-another-sum", `${amount}, and ${missing} was missing`];
  }
}

const moneyKinds = ["duplicate", "overpaid", "paid-after-cancel"];

/** Open money is a task of staff, and without open money there is no such task. */
function* issues({ ledger, issues }: Account): Broken {
  const open = issues.filter(({ resolution }) => resolution === null);
  const money = open.find(({ kind }) => moneyKinds.includes(kind));
  const isOpen = hasOpenMoney({ ledger });
  if (isOpen && open.length === 0) yield ["open-money-without-issue", `${ledger.refundable}`];
  if (!isOpen && money !== undefined)
    yield ["issue-without-open-money", `${money.kind}: ${money.detail}`];
  const loans = new Map(open.map((issue) => [issue.loan_id, issue]));
  for (const { currency, refundable } of [
    { currency: SHOP, ...ledger },
    ...ledger.other_currencies,
  ]) {
    const shares = [...loans.values()].filter(({ balance }) => balance.currency === currency);
    const sum = shares.reduce((all, { open_amount }) => all + (open_amount ?? 0), 0);
    if (sum !== refundable) yield ["issues-are-no-sum", `${sum} of ${refundable} ${currency}`];
  }
}

/** The most that a loan has ever brought to an account: a payout can be corrected. */
function mostBroughtBy(id: string, entries: readonly Entry[]): number {
  let [sum, most] = [0, 0];
  for (const { kind, amount, loanId } of entries) {
    if (loanId !== id || !["received", "corrected", "transferred"].includes(kind)) continue;
    sum += amount;
    most = Math.max(most, sum);
  }
  return most;
}

/** No order is paid without a payout to it, and a payout of its total pays it. */
function* payment({ order, entries, loans }: Account): Broken {
  if (order === undefined) return;
  const moves = order.events.map(({ to }) => to);
  const paidAt = moves.indexOf("PaymentProcessed");
  const total = order.total_price;
  const isWaived = entries.some(({ kind, grant }) => kind === "waived" && grant === null);
  const isCovered = isWaived || loans.some(({ id }) => mostBroughtBy(id, entries) >= total);
  const wasPaid = paidAt >= 0 || isPaid(order.status);
  if (wasPaid && !isCovered) yield ["paid-without-payout", moves.join(", ")];
  if (paidAt >= 0 && moves.slice(paidAt).some(isAwaiting)) yield ["unpaid-again", moves.join(", ")];
  const payer = loans.find((loan) => {
    const [payout, ...more] = loan.payouts;
    const isSteady = !loan.isChanged && loan.names.size === 1 && more.length === 0;
    if (!isSteady || !isPaidOut(loan) || payout?.currency !== SHOP) return false;
    return (centsFor(payout, total) ?? 0) >= total;
  });
  if (payer !== undefined && isAwaiting(order.status)) yield ["unpaid-despite-payout", payer.id];
}

/** Neither expiry nor the customer cancels an order with open money. */
function* cancellation({ order, entries, hadOpenMoney }: Account): Broken {
  const isDealtWith = entries.some(
    ({ kind, amount }) => !["received", "transferred"].includes(kind) || amount < 0,
  );
  const by = order?.events.find(({ to }) => to === "Cancelled")?.by;
  if (hadOpenMoney && !isDealtWith && by !== undefined && by !== "staff")
    yield ["cancelled-with-money", `by ${by}`];
}

/** What a journal has of a loan, without extensions. */
function receivedOf(ledger: Ledger, id: string): readonly Entry[] {
  const kinds = receivedKinds.filter((kind) => kind !== "extension");
  return entriesOf(ledger).filter(({ loanId, kind }) => loanId === id && kinds.includes(kind));
}

/** Every payout is in exactly one journal with its amount, and a loan belongs to one order. */
function* places(loan: Loan, orders: Shown["orders"], strays: Shown["strays"]): Broken {
  const { id, names, payouts, terms } = loan;
  const about = `loan ${id} (${terms.status} ${terms.amount} ${terms.asset})`;
  const all = [...orders.values()];
  const owners = all.filter(({ loans }) => loans.some((one) => one.id === id));
  if (owners.length > 1) yield ["loan-of-two-orders", `${about}: ${owners.map((one) => one.id)}`];
  const journals = [...strays, ...all.map((order) => [order.id, order.ledger] as const)];
  const sums = journals.flatMap(([account, ledger]) => {
    const entries = receivedOf(ledger, id);
    const sum = entries.reduce((all, { amount }) => all + amount, 0);
    return entries.length > 0 ? [{ account, sum }] : [];
  });
  const isForeign = (name: string | null) => name === null || !orders.has(name);
  for (const { account } of sums)
    if (account === id ? ![...names].some(isForeign) : !names.has(account))
      yield ["payout-of-another-order", `${about} is in ${account}`];
  const holders = sums.filter(({ sum }) => sum !== 0);
  // What was refunded without an order stays there when the loan names an order later.
  const isDivided = strays.get(id)?.entries.some(({ kind }) => kind === "refunded") === true;
  if (holders.length > 1 && !isDivided)
    yield ["payout-in-two-journals", `${about}: ${holders.map(({ account }) => account)}`];
  if (payouts.some((payout) => payout !== undefined && payout.cents === undefined)) return;
  const total = orders.get(holders.at(-1)?.account ?? "")?.total_price;
  const possible = payouts.map((payout) => (payout && centsFor(payout, total)) ?? 0);
  const sum = holders.reduce((all, one) => all + one.sum, 0);
  if (!possible.includes(sum)) yield ["payout-not-journaled", `${about}: ${sum} of ${possible}`];
}
