import { balancesOf, type Cents, currency } from "@keepsats/domain";
import type { UnitOfWork } from "../../db/database.ts";
import type { Actor, ChangeStatuses, OrderState } from "../../orders/index.ts";
import {
  type AccountKey,
  type AppendEntries,
  readAccountOf,
} from "../journal/journal-repository.ts";
import {
  extensionEntries,
  issueChanges,
  type LoanAccount,
  moneyByLoan,
  moveOnceSettled,
} from "../rules.ts";
import type { IssueRecords, OpenedIssue } from "./issue-records.ts";
import { issuesAmong, type StoredIssue } from "./issue-repository.ts";

/** What the payment issues that a refund resolves say about it. */
export interface ReconcileOptions {
  readonly refundNote?: string | undefined;
}

/**
 * Brings an account in line with its journal: nets its extensions, opens and resolves its payment
 * issues about money, and lets the customer pay again once the money that did not pay the order is
 * dealt with. Call it in the transaction that has changed a loan, an entry or the status of the
 * order, with the order, or the loan without an order, locked.
 *
 * @param by who made the change; a payment issue that is over because of a refund is resolved by
 *   them, any other by the shop
 */
export type Reconcile = (
  unit: UnitOfWork,
  key: AccountKey,
  by: Actor,
  options?: ReconcileOptions,
) => Promise<void>;

/** An account that its caller has read, with its stored payment issues. */
export interface ReadAccount extends LoanAccount {
  readonly order: OrderState | undefined;
  readonly issues: readonly StoredIssue[];
}

/**
 * Does the part of {@link Reconcile} that follows from an account whose extensions are netted
 * already.
 */
export type ReconcileIssues = (
  unit: UnitOfWork,
  account: ReadAccount,
  by: Actor,
  options?: ReconcileOptions,
) => Promise<void>;

interface Dependencies {
  readonly appendEntries: AppendEntries;
  readonly records: IssueRecords;
  readonly changeStatuses: ChangeStatuses;
  /** A payout above it is checked before the rest is refunded; see `moneyIssues`. */
  readonly overpaymentLimit?: Cents | undefined;
}

export function createReconcileIssues({
  records,
  changeStatuses,
  overpaymentLimit,
}: Omit<Dependencies, "appendEntries">): ReconcileIssues {
  return async (unit, { issues, ...account }, by, { refundNote } = {}) => {
    const { open, resolve } = issueChanges(account, issues, { overpaymentLimit });
    for (const { issue, resolution, note } of resolve) {
      const isRefund = resolution === "refunded";
      await records.resolve(unit, issue, {
        resolution,
        note: isRefund ? (refundNote ?? note) : note,
        by: isRefund ? by : { kind: "shop" },
      });
    }
    await records.open(unit, open.length === 0 ? [] : openedOf(account, open));
    const { order } = account;
    const move = moveOnceSettled(account);
    if (order === undefined || move?.kind !== "to") return;
    const { to, attemptOver = false } = move;
    const change = { orderId: order.id, to, by: { kind: "shop" }, attemptOver } as const;
    await changeStatuses(unit, [change], new Map([[order.id, order]]));
  };
}

export function createReconcile(dependencies: Dependencies): Reconcile {
  const { appendEntries } = dependencies;
  const reconcileIssues = createReconcileIssues(dependencies);
  return async (unit, key, by, options) => {
    const account = await readAccountOf(unit.db, key);
    const added = await appendEntries(unit, extensionEntries(account), { kind: "shop" });
    const issues = await issuesAmong(unit.db, {
      orderIds: "orderId" in key ? [key.orderId] : [],
      loanIds: "loanId" in key ? [key.loanId] : [],
    });
    const entries = [...account.entries, ...added];
    await reconcileIssues(unit, { ...account, entries, issues }, by, options);
  };
}

/** The issues to open with the money that they are about. */
function openedOf(
  account: LoanAccount,
  open: ReturnType<typeof issueChanges>["open"],
): OpenedIssue[] {
  const moneyOf = moneyByLoan(account, balancesOf(account));
  return open.map((issue) => {
    const money = moneyOf.get(issue.loanId);
    return {
      ...issue,
      reopen: true,
      withoutMail: false,
      openAmount: money?.isUnknown === true ? null : (money?.open ?? 0),
      currency: money?.currency ?? currency.code,
    };
  });
}
