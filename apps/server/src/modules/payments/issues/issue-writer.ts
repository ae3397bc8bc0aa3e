import { type Cents, shopCurrency } from "@keepsats/domain";
import type { Resolution } from "@keepsats/protocol";
import type { UnitOfWork } from "../../../platform/database/database.ts";
import type { DomainEvent, EmitEvents } from "../../../platform/outbox/emit-events.ts";
import type { Clock } from "../../../platform/scheduling/clock.ts";
import type { AmendOrder, ChangeStatuses, OrderState } from "../../orders/index.ts";
import type { Actor } from "../../staff/index.ts";
import {
  type AccountKey,
  type AppendEntries,
  idsOf,
  nameOf,
  readAccount,
  type StoredAccount,
} from "../journal/journal-repository.ts";
import {
  type ExpectedIssue,
  extensionEntries,
  issueChanges,
  type KnownIssue,
  type LoanAccount,
  moneyByLoan,
  moveOnceDecided,
} from "../rules.ts";
import {
  findIssues,
  idOfIssue,
  openIssues,
  reopenIssue,
  storeResolution,
} from "./issue-repository.ts";

interface OpenedIssue extends ExpectedIssue {
  /** Whether a resolved one opens again although its detail is the same. */
  readonly reopensResolved?: boolean;
  readonly withoutEmail?: boolean;
  /** The money that must be decided about, in cents; `null` if unknown, 0 by default. */
  readonly openAmount?: number | null;
  readonly currency?: string | undefined;
}

interface Decision {
  readonly note: string;
  readonly by: Actor;
}

interface UpdateOptions {
  /** The note of the payment issues that a refund resolves. */
  readonly refundNote?: string;
}

interface Dependencies {
  readonly now: Clock;
  readonly emitEvents: EmitEvents;
  readonly amendOrder: AmendOrder;
  readonly changeStatuses: ChangeStatuses;
  readonly appendEntries: AppendEntries;
  readonly overpaymentLimit?: Cents | undefined;
  /** Called for each payment issue once it is stored as open. */
  readonly onIssue: (issue: ExpectedIssue) => void;
}

export type IssueWriter = ReturnType<typeof createIssueWriter>;

/**
 * Stores payment issues inside a transaction that has locked their loans and orders. Each change is
 * emitted; what staff do is also an event of the order.
 */
export function createIssueWriter(dependencies: Dependencies) {
  const { now, emitEvents, amendOrder, changeStatuses, appendEntries } = dependencies;
  const { overpaymentLimit, onIssue } = dependencies;

  /** Emits an event for each issue that is new, open again or changed. */
  async function open(unit: UnitOfWork, issues: readonly OpenedIssue[]): Promise<void> {
    if (issues.length === 0) return;
    const changedIds = await openIssues(unit, issues, now());
    const changed = issues.filter((issue) => changedIds.has(idOfIssue(issue)));
    await emitEvents(unit, changed.map(openedEvent));
    for (const { kind, loanId, orderId, detail } of changed)
      unit.afterCommit(() => onIssue({ kind, loanId, orderId, detail }));
  }

  async function resolve(
    unit: UnitOfWork,
    issue: KnownIssue,
    { resolution, note, by }: Decision & { readonly resolution: Resolution },
  ): Promise<void> {
    await storeResolution(unit, issue.id, { resolution, note, by: nameOf(by), at: now() });
    const { orderId, loanId: loan_id, kind: issue_kind } = issue;
    if (by.kind === "staff" && orderId !== undefined) {
      const data = { loan_id, issue_kind, resolution };
      await amendOrder(unit, { orderId, kind: "issue-resolved", by, reason: note, data });
    }
    await emitEvents(unit, [issueEvent("payment_issue.resolved", issue, { resolution })]);
  }

  async function reopen(
    unit: UnitOfWork,
    issue: KnownIssue,
    { note, by }: Decision,
  ): Promise<void> {
    await reopenIssue(unit, issue.id, now());
    const { orderId, loanId: loan_id, kind: issue_kind } = issue;
    if (orderId !== undefined) {
      const data = { loan_id, issue_kind };
      await amendOrder(unit, { orderId, kind: "issue-reopened", by, reason: note, data });
    }
    await emitEvents(unit, [issueEvent("payment_issue.reopened", issue)]);
  }

  /**
   * Opens and resolves the payment issues about money of an account whose extensions are netted.
   * Once staff have decided about the money that did not pay the order, the customer can pay again.
   *
   * @param stored at least the issues of this account
   * @param by who made the change; a payment issue that a refund ends is resolved by them, any
   *   other by the shop
   */
  async function updateIssues(
    unit: UnitOfWork,
    account: LoanAccount & { readonly order: OrderState | undefined },
    stored: readonly KnownIssue[],
    by: Actor,
    { refundNote }: UpdateOptions = {},
  ): Promise<void> {
    const changes = issueChanges(account, stored, { overpaymentLimit });
    for (const { issue, resolution, note } of changes.resolve) {
      const how =
        resolution === "refunded"
          ? { note: refundNote ?? note, by }
          : { note, by: { kind: "shop" } as const };
      await resolve(unit, issue, { resolution, ...how });
    }
    await open(unit, withMoney(changes.open, account));
    const { order } = account;
    const move = moveOnceDecided(account);
    if (order === undefined || move === undefined) return;
    const { to, attemptFailed = false } = move;
    const change = { orderId: order.id, to, by: { kind: "shop" }, attemptFailed } as const;
    await changeStatuses(unit, [change], new Map([[order.id, order]]));
  }

  /**
   * Brings an account in line with its journal: nets its extensions, and updates its issues.
   * Call it in the transaction that has changed a loan, an entry or the status of the order.
   *
   * @returns the account with its new entries
   */
  async function update(
    unit: UnitOfWork,
    key: AccountKey,
    by: Actor,
    options?: UpdateOptions,
  ): Promise<StoredAccount> {
    const account = await readAccount(unit.db, key);
    const added = await appendEntries(unit, extensionEntries(account), { kind: "shop" });
    const netted = { ...account, entries: [...account.entries, ...added] };
    await updateIssues(unit, netted, await findIssues(unit.db, idsOf([key])), by, options);
    return netted;
  }

  return { open, resolve, reopen, updateIssues, update };
}

function withMoney(issues: readonly ExpectedIssue[], account: LoanAccount): OpenedIssue[] {
  if (issues.length === 0) return [];
  const moneyOf = moneyByLoan(account);
  return issues.map((issue) => {
    const { isUnknown = false, open = 0, currency } = moneyOf.get(issue.loanId) ?? {};
    return {
      ...issue,
      reopensResolved: true,
      openAmount: isUnknown ? null : open,
      currency,
    };
  });
}

function openedEvent({ openAmount = 0, withoutEmail, ...issue }: OpenedIssue): DomainEvent {
  return issueEvent("payment_issue.opened", issue, {
    open_amount: openAmount,
    currency: issue.currency ?? shopCurrency.code,
    // The name in events that are stored already.
    ...(withoutEmail === true ? { without_mail: true } : {}),
  });
}

/** The event of a payment issue. Its subject is its order, or its loan if it has no order. */
function issueEvent(
  type: "payment_issue.opened" | "payment_issue.resolved" | "payment_issue.reopened",
  { loanId, orderId, kind }: Pick<KnownIssue, "loanId" | "orderId" | "kind">,
  further: DomainEvent["data"] = {},
): DomainEvent {
  const issue_id = idOfIssue({ loanId, orderId, kind });
  return {
    type,
    subject: orderId ?? loanId,
    data: { issue_id, loan_id: loanId, kind, ...further },
  };
}
