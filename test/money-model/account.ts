/** What the model compares: the account of an order, or of a loan without one. */
import type { Issue, Ledger, Order, Receipt } from "../harness/money-answers.ts";
import type { Loan } from "./provider.ts";
import type { Refund, ReturnStep } from "./world.ts";

/** What the shop shows at rest. */
export interface Shown {
  readonly orders: ReadonlyMap<string, Order>;
  /** By order id. */
  readonly receipts: ReadonlyMap<string, readonly Receipt[]>;
  /** The journals of loans without an order. */
  readonly strays: ReadonlyMap<string, Ledger>;
  readonly issues: readonly Issue[];
}

/** The entries of a journal as they are counted: an unknown amount is 0. */
export function entriesOf({ entries }: Ledger) {
  return entries.map(
    ({ loan_id: loanId, refund_id: refundId, issue_id: issueId, amount, ...more }) => ({
      ...more,
      loanId,
      refundId,
      issueId,
      amount: amount ?? 0,
    }),
  );
}
export type Entry = ReturnType<typeof entriesOf>[number];

/** What breaks a rule of an account. */
export type Broken = Generator<readonly [rule: string, detail: string]>;

/** An account with what the model knows about it. */
export interface Account {
  readonly order: Order | undefined;
  readonly ledger: Ledger;
  readonly entries: readonly Entry[];
  readonly issues: readonly Issue[];
  /** The receipt of the order, and its credit notes. */
  readonly receipts: readonly Receipt[];
  /** The loans that have ever named the order, or the loan. */
  readonly loans: readonly Loan[];
  readonly refunds: readonly Refund[];
  /** The states of its returns that the shop has acknowledged. */
  readonly returnSteps: readonly ReturnStep[];
  /** The payment issues that staff have decided about. */
  readonly decided: ReadonlySet<string>;
  /** Whether staff have seen it with open money while its order awaited payment. */
  readonly hadOpenMoney: boolean;
}
