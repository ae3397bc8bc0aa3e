import {
  type Balances,
  balancesOf,
  canMove,
  isOrderStatus,
  type OrderStatus,
} from "@keepsats/domain";
import type { Resolution } from "@keepsats/protocol";
import type { OrderState } from "../../apps/server/src/modules/orders/index.ts";
import {
  type AccountKey,
  accountIn,
  accountKeyOf,
} from "../../apps/server/src/modules/payments/journal/journal-repository.ts";
import type { Loan } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { factsOf } from "../../apps/server/src/modules/payments/loans/settlement.ts";
import {
  type Consequences,
  cancellationOf,
  consequencesOf,
  extensionEntries,
  isPresumptionOver,
  isSameIssue,
  issueChanges,
  type KnownIssue,
  type LoanAccount,
  type Move,
  moveOnceDecided,
  type NewEntry,
  type NewIssue,
  type NewRefund,
  type PayoutReport,
  refundOf,
  refundReversalOf,
  reopeningOf,
  resolutionOf,
  type StaffDecision,
  type StoredLoan,
} from "../../apps/server/src/modules/payments/rules/index.ts";

/**
 * A shop that has nothing but orders and their money, in memory: it stores what the rules demand,
 * as the database does.
 */
export class InMemoryMoney {
  readonly orders = new Map<string, OrderState>();
  readonly loans = new Map<string, StoredLoan>();
  readonly payoutReports: PayoutReport[] = [];
  readonly journal: NewEntry[] = [];
  readonly issues: KnownIssue[] = [];
  now = 1_000_000;
  #refunds = 0;

  placeOrder(id: string, total = 1_200): void {
    this.orders.set(id, { id, status: "Pending", version: 1, total, created_at: 0 });
  }

  statusOf(orderId: string): string | undefined {
    return this.orders.get(orderId)?.status;
  }

  account(key: AccountKey): LoanAccount {
    return accountIn(this.#records, key);
  }

  balances(orderId: string): Balances {
    return balancesOf(this.account({ orderId }));
  }

  /** The open payment issues, such as `duplicate of b`. */
  openIssues(): string[] {
    return this.issues
      .filter(({ resolution }) => resolution === undefined)
      .map(({ kind, loanId }) => `${kind} of ${loanId}`)
      .sort();
  }

  issue(kind: string, loanId: string): KnownIssue {
    const found = this.issues.find((one) => one.kind === kind && one.loanId === loanId);
    if (found === undefined) throw new Error(`there is no issue ${kind} of ${loanId}`);
    return found;
  }

  /** Settles a report of the provider. */
  report(loan: Loan, presentedFor?: string): Consequences {
    const report = { loan, presentedFor };
    const facts = factsOf(this.#records, report, this.now);
    const { order } = facts;
    const consequences = consequencesOf(facts);
    const { storedLoan, entries, move, payoutReport, newIssues } = consequences;
    if (storedLoan !== undefined) this.loans.set(storedLoan.id, storedLoan);
    this.journal.push(...entries);
    if (order !== undefined && move !== undefined) this.#move(order.id, move);
    if (payoutReport !== undefined) this.payoutReports.push(payoutReport);
    for (const newIssue of newIssues) this.#openReported(newIssue);
    if (order !== undefined) this.#updateIssues({ orderId: order.id });
    this.#updateIssues({ loanId: loan.id });
    return consequences;
  }

  resolve(kind: string, loanId: string, resolution: Resolution): string {
    const issue = this.issue(kind, loanId);
    const decision = resolutionOf(issue, resolution, this.#accountOfIssue(issue));
    if (decision.kind === "refused") return decision.code;
    this.#update(issue, { resolution });
    this.#apply(issue, decision);
    return "resolved";
  }

  reopen(kind: string, loanId: string): string {
    const issue = this.issue(kind, loanId);
    const decision = reopeningOf(issue, this.#accountOfIssue(issue));
    if (decision.kind === "refused") return decision.code;
    this.#update(issue, { resolution: undefined });
    this.#apply(issue, decision);
    return "reopened";
  }

  /** Refunds money of an order, or of the loan of a payment issue. Returns the refund's id. */
  refund(
    of: { readonly orderId: string } | { readonly issue: KnownIssue },
    changes: Partial<NewRefund> & Pick<NewRefund, "amount">,
  ): string {
    this.#refunds += 1;
    const issue = "issue" in of ? of.issue : undefined;
    const account = "issue" in of ? this.#accountOfIssue(of.issue) : this.account(of);
    const request = { refundId: `refund ${this.#refunds}`, method: "bank", issue, ...changes };
    const decision = refundOf(request, account);
    if (decision.kind === "refused") return decision.code;
    if (decision.kind !== "recorded") return decision.kind;
    this.journal.push(...decision.entries);
    this.#updateIssues("issue" in of ? accountKeyOf(of.issue) : of);
    return request.refundId;
  }

  reverseRefund(refundId: string): string {
    const refund = this.journal.find((entry) => entry.refundId === refundId);
    if (refund === undefined) return "not_found";
    const key = accountKeyOf({ orderId: refund.orderId, loanId: refund.loanId ?? "" });
    const decision = refundReversalOf(refundId, this.account(key));
    if (decision.kind === "refused") return decision.code;
    this.journal.push(...decision.entries);
    this.#updateIssues(key);
    return "reversed";
  }

  /** Cancels an order for the customer. Returns the decision. */
  cancel(orderId: string): string {
    const { order, ...account } = this.account({ orderId });
    if (order === undefined) throw new Error(`there is no order ${orderId}`);
    const decision = cancellationOf({ account: { ...account, order }, unclear: [] });
    if (decision.kind === "refused") return decision.code;
    if (decision.kind === "cancel") this.cancelByStaff(orderId);
    return decision.kind;
  }

  cancelByStaff(orderId: string): void {
    this.#move(orderId, { kind: "status", to: "Cancelled" });
    this.#updateIssues({ orderId });
  }

  /** Lets time pass, and a complete sweep begin and end at its end. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const loan of this.loans.values()) {
      if (!isPresumptionOver(loan, this.now)) continue;
      this.loans.set(loan.id, { ...loan, presumedExtensionAt: undefined });
      this.#updateIssues(accountKeyOf({ orderId: loan.orderId, loanId: loan.id }));
    }
  }

  get #records() {
    return { orders: this.orders, loans: this.loans, entries: this.journal };
  }

  #accountOfIssue(issue: KnownIssue): LoanAccount {
    return this.account(accountKeyOf(issue));
  }

  #apply(issue: KnownIssue, { entries, move, storedLoan }: StaffDecision): void {
    this.journal.push(...entries);
    if (storedLoan !== undefined) this.loans.set(storedLoan.id, storedLoan);
    if (move !== undefined && issue.orderId !== undefined) this.#move(issue.orderId, move);
    this.#updateIssues(accountKeyOf(issue));
  }

  #updateIssues(key: AccountKey): void {
    this.journal.push(...extensionEntries(this.account(key)));
    const account = this.account(key);
    const { open, resolve } = issueChanges(account, this.issues);
    for (const { issue, resolution } of resolve) this.#update(issue, { resolution });
    for (const issue of open) this.#open(issue);
    const move = moveOnceDecided(account);
    if (move !== undefined && "orderId" in key) this.#move(key.orderId, move);
  }

  #move(orderId: string, move: Move): void {
    const order = this.orders.get(orderId);
    if (order === undefined || move.kind === "record-failed-attempt") return;
    assertMove(order.status, move.to);
    this.orders.set(orderId, { ...order, status: move.to });
  }

  #openReported({ oncePerLoan, reopensResolved, ...newIssue }: NewIssue): void {
    const known = this.issues.find((one) => isSameIssue(one, newIssue));
    const isRepeated =
      oncePerLoan === true &&
      this.issues.some(({ loanId, kind }) => loanId === newIssue.loanId && kind === newIssue.kind);
    if (isRepeated || (known?.detail === newIssue.detail && reopensResolved !== true)) return;
    this.#open(newIssue);
  }

  #open({
    kind,
    loanId,
    orderId,
    detail,
  }: Pick<KnownIssue, "kind" | "loanId" | "orderId" | "detail">) {
    const known = this.issues.find((one) => isSameIssue(one, { kind, loanId, orderId }));
    if (known !== undefined) return this.#update(known, { detail, resolution: undefined });
    const id = `issue ${this.issues.length + 1}`;
    this.issues.push({ id, kind, loanId, orderId, detail, resolution: undefined });
  }

  #update(issue: KnownIssue, changes: Partial<KnownIssue>): void {
    const index = this.issues.findIndex(({ id }) => id === issue.id);
    this.issues.splice(index, 1, { ...issue, ...changes });
  }
}

function assertMove(from: string, to: OrderStatus): void {
  if (!isOrderStatus(from) || !canMove(from, to))
    throw new Error(`an order that is ${from} cannot become ${to}`);
}
