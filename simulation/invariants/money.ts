import { awaitsPayment, balanceIn, hasOpenMoney, loanPayoutOf } from "@keepsats/domain";
import {
  isEnded,
  isPaidOut,
  type Loan,
  type Payout,
  payoutOf,
  type Report,
} from "../actors/loan.ts";
import type { CommittedEntry, State } from "../committed-state.ts";
import type { World } from "../world.ts";
import { type Account, accountsOf, balancesIn, journalOf } from "./accounts.ts";

/** @param before the data that was checked last */
export function checkMoney(world: World, state: State, before: State): void {
  const stored = new Map(state.entries.map((entry) => [entry.id, moneyIn(entry)]));
  for (const entry of before.entries)
    if (stored.get(entry.id) !== moneyIn(entry))
      world.fail("journal-changed", `entry ${entry.id}, ${entry.kind}, has changed`);
  const known = new Set(before.entries.map(({ id }) => id));
  for (const account of accountsOf(state)) {
    checkIssues(world, account, state);
    checkRefunds(world, account, known);
  }
  for (const [loanId, entries] of Map.groupBy(state.entries, ({ loan_id }) => loan_id))
    if (loanId !== null) checkLoan(world, world.provider.loans.get(loanId), entries, state);
}

/** An entry without the texts that an erasure removes. */
function moneyIn(entry: CommittedEntry): string {
  return JSON.stringify({ ...entry, reason: null, method: null, reference: null });
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
        ? issue.order_id === null && issue.loan_id === loanId
        : issue.order_id === order.id),
  );
  const isOpen = hasOpenMoney(balancesIn(account));
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
 * that the shop had. Nothing is granted while a refund is due. A refund of an unknown amount says how
 * much it was, and has no limit.
 */
function checkRefunds(world: World, account: Account, known: ReadonlySet<string>): void {
  const { entries } = account;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== "refunded" || known.has(entry.id)) continue;
    const own = entries.filter(({ refund_id }) => refund_id === entry.refund_id);
    if (isEnteredByStaff(own)) continue;
    const isGranted = entry.grant_kind !== null;
    if (isGranted) checkGrant(world, account, entry);
    const order = world.seesEachCommit ? account.order : orderAtRefund(account, isGranted);
    // A granted refund comes after its own reduction of the price.
    const isOwn = ({ refund_id }: CommittedEntry) => isGranted && refund_id === entry.refund_id;
    const before = entries.slice(0, index).filter((one) => !isOwn(one));
    const balances = balancesIn({ order, entries: before });
    const { refundable, grantable } = balanceIn(balances, entry.currency);
    const granted = refundable > 0 ? 0 : grantable;
    const most = isGranted ? granted : refundable;
    if (entry.amount > most)
      world.fail(
        "refunded-too-much",
        `${nameOf(account)}: ${entry.amount} of ${most} were refunded`,
      );
  }
}

/** The order in a status that may have been its status at a refund, and that permits the most. */
function orderAtRefund({ order }: Account, isGranted: boolean) {
  const status = isGranted ? "PaymentProcessed" : "Cancelled";
  return order && { status, total: order.total };
}

/** A granted refund reduces the price of its order by its amount. */
function checkGrant(world: World, account: Account, { refund_id, amount }: CommittedEntry): void {
  const waived = account.entries.find(
    (entry) => entry.kind === "waived" && entry.refund_id === refund_id,
  );
  if (waived?.amount !== amount)
    world.fail("grant-without-reduction", `${nameOf(account)}: ${amount} were granted`);
}

/** The payout of a loan by its entries in all accounts. */
function journaledPayout(loanId: string, entries: readonly CommittedEntry[]): Payout | undefined {
  const payout = loanPayoutOf(journalOf(entries), loanId);
  if (payout === undefined) return undefined;
  const { currency, amount, unknown } = payout;
  return { currency, cents: unknown === 0 ? amount : undefined };
}

function sumOfKind(entries: readonly CommittedEntry[], kind: CommittedEntry["kind"]): number {
  return entries.reduce((sum, entry) => (entry.kind === kind ? sum + entry.amount : sum), 0);
}

/** Whether staff have entered an amount that the provider does not report. */
function isEnteredByStaff(entries: readonly CommittedEntry[]): boolean {
  return entries.some(({ kind, refund_id }) => kind === "corrected" && refund_id !== null);
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
  const orders = new Set(entries.flatMap(({ order_id }) => order_id ?? []));
  const { id = "a loan that does not exist", reports = [] } = loan ?? {};
  if (orders.size > 1)
    world.fail("payout-in-two-journals", `${id} has money for ${[...orders].join(" and ")}`);
  if (!payoutReports.some(({ loan_id }) => loan_id === id))
    world.fail("payout-report-lost", `${id} has entries and no payout report`);
  if (sumOfKind(entries, "transferred") !== 0)
    world.fail("transfer-unbalanced", `${id}: ${sumOfKind(entries, "transferred")}`);
  const payout = journaledPayout(id, entries);
  if (isEnteredByStaff(entries)) return;
  if (!reports.some((one: Report) => isSame(one.payout, payout)))
    world.fail("payout-not-reported", `the journal has ${describe(payout)} of ${id}`);
}

/**
 * After a complete sweep the journal has every payout as the provider reports it now, and every order
 * with its payout is paid.
 */
export function checkPayouts(world: World, state: State): void {
  const byLoan = Map.groupBy(state.entries, ({ loan_id }) => loan_id);
  for (const loan of world.provider.loans.values()) {
    const entries = byLoan.get(loan.id) ?? [];
    if (!isPaidOut(loan) && !isEnded(loan)) continue;
    const actual = isPaidOut(loan) ? payoutOf(loan) : undefined;
    const payout = journaledPayout(loan.id, entries);
    if (isEnteredByStaff(entries) && actual?.cents === undefined) continue;
    if (!isSame(payout, actual))
      world.fail(
        "payout-not-journaled",
        `${loan.id} (${loan.status}) has paid out ${describe(actual)}, and the journal has ${describe(payout)}`,
      );
  }
  for (const { id, order_id, state: loanState, refusal } of state.loans.values()) {
    const order = state.orders.get(order_id ?? "");
    const isUnpaid = order === undefined || awaitsPayment(order.status);
    if (loanState === "paid-out" && refusal === null && isUnpaid)
      world.fail("loan-unaccounted", `${id} pays order ${order_id}, which is ${order?.status}`);
  }
}

/** Once the shop presumes no extension, each is netted. */
export function checkExtensions(world: World): void {
  for (const account of accountsOf(world.state))
    if (account.order !== undefined) checkExtension(world, account);
}

/**
 * The extensions of an order bring no money, and its other loans do. Accounts with a loan that was
 * changed after its payout, or whose extension is not paid out, are skipped: among loans of equal amount
 * the shop cannot tell which one is the extension.
 */
function checkExtension(world: World, account: Account): void {
  const { entries } = account;
  const ids = new Set(entries.flatMap(({ loan_id }) => loan_id ?? []));
  const loans = [...ids].flatMap((id) => world.provider.loans.get(id) ?? []);
  const isCertain =
    loans.every((loan) => isPaidOut(loan) && !loan.isChanged) &&
    ![...world.provider.loans.values()].some(
      (loan) => ids.has(loan.extends ?? "") && !isPaidOut(loan),
    );
  // If the account lacks the earlier loan, its extension brings the money.
  const extensions = loans.filter(({ extends: earlier }) => ids.has(earlier ?? ""));
  if (!isCertain || isEnteredByStaff(entries)) return;
  const sum = extensions.reduce((all, loan) => all + (payoutOf(loan).cents ?? 0), 0);
  if (sumOfKind(entries, "extension") !== -sum)
    world.fail(
      "extensions-miscounted",
      `${nameOf(account)} has extensions of ${sum}; the journal has ${-sumOfKind(entries, "extension")}`,
    );
}
